"""Builds a CMake project afresh and runs its tests (format events-jsonl):

cmake_tests.py --out FILE --source FOLDER --build FOLDER [--file PATH]... [--test ID] [-- cmake options]

A test program of GoogleTest, Catch2 or doctest is run by itself, so that each of its cases has an id,
<program below the build folder>::<case>; everything else by ctest, ctest::<name>. What was not built is unloaded.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any, Optional

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from native_run import BINARY_SECONDS, EVERYTHING, Events, fresh_folder, inside, jobs, output_of, read, read_report, run, scratch_folder  # noqa: E402
from native_programs import Program, kind_of  # noqa: E402

# A test with one of these is more than its program's own verdict: ctest decides.
DECIDED_BY_CTEST = (
    *("WILL_FAIL", "PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION", "REQUIRED_FILES", "ENVIRONMENT_MODIFICATION"),
    *("FIXTURES_SETUP", "FIXTURES_CLEANUP", "FIXTURES_REQUIRED"),
)
NOT_BUILT = "_NOT_BUILT"


class Target:
    def __init__(self, source: str, build: str, reply: dict[str, Any]) -> None:
        self.name = reply["name"]
        self.is_program = reply["type"] == "EXECUTABLE"
        self.paths = [os.path.normpath(os.path.join(build, item["path"])) for item in reply.get("artifacts", [])]
        self.sources = {os.path.normpath(os.path.join(source, item["path"])) for item in reply.get("sources", [])}


class Test:
    def __init__(self, number: int, row: dict[str, Any]) -> None:
        self.number = number
        self.name = row["name"]
        self.command = row.get("command", [])
        self.properties = {item["name"]: item["value"] for item in row.get("properties", [])}
        self.cwd = self.properties.get("WORKING_DIRECTORY", ".")
        self.env = dict(word.split("=", 1) for word in self.properties.get("ENVIRONMENT", []) if "=" in word)

    def is_more_than_its_program(self) -> bool:
        return any(self.properties.get(key) for key in DECIDED_BY_CTEST)


class Build:
    def __init__(self, options: argparse.Namespace) -> None:
        self.source = os.path.realpath(options.source)
        self.folder = fresh_folder(options.build)
        self.targets: list[Target] = []

    def configure(self, words: list[str]) -> bool:
        query = Path(self.folder, ".cmake/api/v1/query/codemodel-v2")
        query.parent.mkdir(parents=True)
        query.touch()
        generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
        if run(["cmake", "-S", self.source, "-B", self.folder, "-G", generator, *words], self.source) != 0:
            return False
        replies = Path(self.folder, ".cmake/api/v1/reply")
        for path in sorted(replies.glob("target-*.json")):
            self.targets.append(Target(self.source, self.folder, json.loads(path.read_text("utf-8"))))
        return True

    def make(self, targets: list[str]) -> None:
        """Goes on after a failure: what can be built is."""
        keep = ["-k", "0"] if Path(self.folder, "build.ninja").exists() else ["-k"]
        chosen = ["--target", *targets] if targets else []
        run(["cmake", "--build", self.folder, "--parallel", str(jobs()), *chosen, "--", *keep], self.folder)

    def tests(self) -> list[Test]:
        """ctest tells no command of a program that is missing: it is asked once more, with something in its place."""
        tests = self.list()
        places = [path for target in self.targets if target.is_program for path in target.paths if not os.path.exists(path)]
        if not places:
            return tests
        for path in places:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(path).write_text("#!/bin/sh\n")
            os.chmod(path, 0o755)
        commands = {test.name: test.command for test in self.list()}
        for path in places:
            os.unlink(path)
        for test in tests:
            test.command = test.command or commands.get(test.name, [])
        return tests

    def list(self) -> list[Test]:
        listed = output_of(["ctest", "--show-only=json-v1"], self.folder, seconds=BINARY_SECONDS)
        try:
            rows = json.loads(listed[listed.find("{") :])["tests"]
        except (ValueError, KeyError):
            return []
        return [Test(number, row) for number, row in enumerate(rows, 1)]

    def target_of(self, test: Test) -> Optional[Target]:
        """Of the program that a test runs; what discovers tests calls one that was not built `<target>_NOT_BUILT`."""
        name = test.name[: -len(NOT_BUILT)] if test.name.endswith(NOT_BUILT) else ""
        program = os.path.normpath(os.path.join(self.folder, test.command[0])) if test.command else ""
        for target in self.targets:
            if target.is_program and (program in target.paths or target.name == name):
                return target
        return None

    def unbuilt(self) -> list[Target]:
        """Programs that the files of ctest speak of and that are not there."""
        files = [path for pattern in ("CTestTestfile.cmake", "*_include*.cmake") for path in Path(self.folder).rglob(pattern)]
        text = "\n".join(read(str(path)) for path in files)
        missing = [target for target in self.targets if target.is_program and not os.path.exists(target.paths[0])]
        return [target for target in missing if target.paths[0] in text or f"{target.name}{NOT_BUILT}" in text]

    def scope(self, path: str) -> str:
        return inside(path, self.folder) or os.path.basename(path)


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--out", "--source", "--build"):
        parser.add_argument(name, required=True)
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--test")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    events = Events(options.out)
    build = Build(options)
    if not build.configure(options.words):
        events.unload(EVERYTHING)
        events.finish()
    wanted = wanted_targets(build, options)
    build.make([target.name for target in wanted or []])
    tests = listed_tests(events, build, wanted)
    if options.test:
        run_one(events, build, tests, options.test)
    elif tests:
        run_tests(events, build, tests, wanted)
    else:
        run_programs(events, build, wanted)
    events.finish()


def wanted_targets(build: Build, options: argparse.Namespace) -> Optional[list[Target]]:
    """Programs that the files are compiled into, or the program of the test; None: all there are."""
    scope = (options.test or "").split("::")[0]
    files = {os.path.realpath(path) for path in options.file}
    found = [
        target
        for target in build.targets
        if target.is_program and (target.sources & files or any(build.scope(path) == scope for path in target.paths))
    ]
    return found or None


def listed_tests(events: Events, build: Build, wanted: Optional[list[Target]]) -> list[Test]:
    """Programs outside the target `all` are built once a test turns out to need them."""
    chosen = lambda: [target for target in build.unbuilt() if wanted is None or target in wanted]  # noqa: E731
    if chosen():
        build.make([target.name for target in chosen()])
    for target in chosen():
        events.unload(build.scope(target.paths[0]))
    return build.tests()


def run_tests(events: Events, build: Build, tests: list[Test], wanted: Optional[list[Target]]) -> None:
    groups: dict[str, list[Test]] = {}
    plain: list[Test] = []
    for test in tests:
        target = build.target_of(test)
        if target is None and wanted is None:
            plain.append(test)
        elif target and (wanted is None or target in wanted):
            groups.setdefault(target.paths[0], []).append(test)
    for path, group in groups.items():
        if os.path.exists(path):
            plain.extend(run_group(events, build, path, group))
        else:
            unload(events, group)
    if plain:
        run_by_ctest(events, build, plain)


def run_group(events: Events, build: Build, path: str, group: list[Test]) -> list[Test]:
    """Tests of one program. Answers those that are ctest's to run."""
    kind = kind_of(path)
    if kind is None:
        return group
    own = [test for test in group if not test.is_more_than_its_program()]
    programs = programs_of(path, build.scope(path), kind, own)
    done = all([program.run(events) for program in programs])
    return [test for test in group if not done or test not in own]


def unload(events: Events, group: list[Test]) -> None:
    """Tests of a program that was not built. One test is broken with it; of several no one knows which the fault is in."""
    names = [test.name for test in group if not test.name.endswith(NOT_BUILT)]
    for name in names:
        if len(names) == 1:
            events.end(f"ctest::{name}", "ERROR")
        else:
            events.unload(f"ctest::{name}")


def programs_of(path: str, scope: str, kind: type, group: list[Test]) -> list[Program]:
    """The ways in which a group of tests runs one program: tests that differ in their selection alone are one way."""
    ways: dict[str, Program] = {}
    for test in group:
        arguments = [word for word in test.command[1:] if not selects(kind, word, test)]
        ways[json.dumps([kind.own(arguments), test.cwd, test.env])] = Program(path, scope, kind, arguments, test.cwd, test.env)
    return list(ways.values())


def selects(kind: type, word: str, test: Test) -> bool:
    name = kind.selected(word)
    return name is not None and (test.name.endswith(name) or kind.form == "gtest-json")


def run_by_ctest(events: Events, build: Build, tests: list[Test]) -> None:
    folder = scratch_folder()
    numbers, target = os.path.join(folder, "numbers"), os.path.join(folder, "report.xml")
    chosen = sorted(test.number for test in tests)
    Path(numbers).write_text(",".join(map(str, [0, 0, 0, *chosen])) + "\n")
    run(["ctest", "--output-on-failure", "--timeout", str(BINARY_SECONDS), "--output-junit", target, "-I", numbers], build.folder)
    report = read_report("junit-ctest", target)
    if report:
        events.add(report)
    else:
        events.unload("ctest")


def run_programs(events: Events, build: Build, wanted: Optional[list[Target]]) -> None:
    """A project that registers no test with ctest: its programs of a known framework are the tests."""
    for target in wanted or build.targets:
        for path in target.paths if target.is_program else []:
            kind = kind_of(path)
            if not os.path.exists(path):
                events.unload(build.scope(path))
            elif kind:
                Program(path, build.scope(path), kind, [], os.path.dirname(path)).run(events)


def run_one(events: Events, build: Build, tests: list[Test], name: str) -> None:
    scope, _, case = re.sub(r" #\d+$", "", name).partition("::")
    group = [test for test in tests if (target := build.target_of(test)) and build.scope(target.paths[0]) == scope]
    path = os.path.join(build.folder, scope)
    kind = kind_of(path)
    if scope == "ctest":
        run_by_ctest(events, build, [test for test in tests if test.name == case])
    elif kind:
        programs = programs_of(path, scope, kind, group) or [Program(path, scope, kind, [], os.path.dirname(path))]
        for program in programs:
            program.run(events, only=case)
    else:
        events.unload(scope)


if __name__ == "__main__":
    main()
