"""Builds a Meson project afresh and runs its tests (format events-jsonl):

meson_tests.py --out FILE --source FOLDER --build FOLDER [--file PATH]... [--test ID] [-- meson options]

A test program of GoogleTest, Catch2 or doctest is run by itself, <program below the build folder>::<case>; everything
else by meson test, <project>::<test>. What was not built is unloaded.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Optional

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from native_run import EVERYTHING, Events, fresh_folder, inside, jobs, output_of, read, read_report, run, unique  # noqa: E402
from native_programs import Program, kind_of  # noqa: E402
from formats.junit_meson import bare_test  # noqa: E402
from report import Report, canonical_id, json_lines, text_of  # noqa: E402

TIMEOUT_FACTOR = "8"  # Meson's own limit is 30 seconds, for a machine of the project's people
GOOD_RESULTS = ("OK", "SKIP", "EXPECTEDFAIL")
ENVIRONMENT = {"MALLOC_PERTURB_": "0"}  # else a random number


class Test:
    def __init__(self, build: str, row: dict[str, Any]) -> None:
        self.name = row["name"]
        self.command = row["cmd"]
        self.needs = set(row.get("depends", []))
        self.cwd = row.get("workdir") or build
        self.env = {key: str(value) for key, value in row.get("env", {}).items()}
        self.project = next(iter(row.get("suite", [])), "").partition(":")[0]

    def id(self) -> str:
        return f"{self.project}::{self.name}"

    def selector(self) -> str:
        """Meson reads the name as a pattern."""
        return f"{self.project}:{re.sub('([*?[])', '[' + chr(92) + '1]', self.name)}"


class Build:
    def __init__(self, options: argparse.Namespace) -> None:
        self.source = os.path.realpath(options.source)
        self.folder = fresh_folder(options.build)

    def configure(self, words: list[str]) -> bool:
        return run(["meson", "setup", *words, self.folder, self.source], self.source) == 0

    def make(self) -> None:
        for target in ("all", "meson-test-prereq"):
            run(["ninja", "-k", "0", "-j", str(jobs()), target], self.folder)

    def introspect(self, what: str) -> list[dict[str, Any]]:
        try:
            return json.loads(output_of(["meson", "introspect", self.folder, f"--{what}"], self.folder))
        except ValueError:
            return []


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
    build.make()
    tests = [Test(build.folder, row) for row in build.introspect("tests")]
    targets = build.introspect("targets")
    chosen = chosen_tests(build, tests, targets, options)
    plain = run_programs(events, build, chosen, targets, options.test)
    if plain:
        run_by_meson(events, build, plain, whole=len(plain) == len(tests))
    events.finish()


def chosen_tests(build: Build, tests: list[Test], targets: list[dict[str, Any]], options: argparse.Namespace) -> list[Test]:
    """Those whose program is made from one of the files, or that the id names; all where nothing fits."""
    files = {os.path.realpath(path) for path in options.file}
    ids = set()
    for target in targets:
        sources = {os.path.realpath(path) for group in target.get("target_sources", []) for path in group.get("sources", [])}
        if sources & files:
            ids.add(target["id"])
    scope = (options.test or "").split("::")[0]
    name = re.sub(r" #\d+$", "", options.test or "").split(" > ")[0]
    found = [
        test
        for test in tests
        if test.needs & ids or (options.test and (test.id() == name or inside(test.command[0], build.folder) == scope))
    ]
    return found or tests


def run_programs(
    events: Events, build: Build, tests: list[Test], targets: list[dict[str, Any]], only: Optional[str]
) -> list[Test]:
    """Runs programs of a known framework. Answers the tests that are Meson's to run."""
    missing = {target["id"] for target in targets if not all(map(os.path.exists, target.get("filename", [])))}
    groups: dict[str, list[Test]] = {}
    for test in tests:
        groups.setdefault(test.command[0], []).append(test)
    plain: list[Test] = []
    for path, group in groups.items():
        scope = inside(path, build.folder)
        broken = [test for test in group if test.needs & missing or not os.path.exists(path)]
        if broken:
            unload(events, scope, broken)
        rest = [test for test in group if test not in broken]
        kind = kind_of(path) if scope else None
        ways = {json.dumps([test.command[1:], test.cwd, test.env]): test for test in rest} if kind else {}
        programs = [Program(path, scope or "", kind, test.command[1:], test.cwd, test.env) for test in ways.values() if kind]
        case = only.partition("::")[2] if only and only.startswith(f"{scope}::") else None
        if not programs or not all([program.run(events, case) for program in programs]):
            plain.extend(rest)
    return plain


def unload(events: Events, scope: Optional[str], group: list[Test]) -> None:
    """A program that was not built. Its one test is broken with it; of several no one knows which the fault is in."""
    if scope:
        events.unload(scope)
    for test in group:
        if len(group) == 1:
            events.end(test.id(), "ERROR")
        else:
            events.unload(test.id())


def run_by_meson(events: Events, build: Build, tests: list[Test], whole: bool) -> None:
    names = [] if whole else unique(test.selector() for test in tests)
    argv = ["meson", "test", "-C", build.folder, "--no-rebuild", "--num-processes", "1", "-t", TIMEOUT_FACTOR, *names]
    run(argv, build.folder, env=ENVIRONMENT)
    logs = os.path.join(build.folder, "meson-logs")
    report = read_report("junit-meson", os.path.join(logs, "testlog.junit.xml"))
    if not report:
        for test in tests:
            events.unload(test.id())
        return
    events.add(report)
    for name in broken_tests(read(os.path.join(logs, "testlog.json")), tests, report):
        events.unload(name)
        events.end(name, "ERROR")


def broken_tests(log: str, tests: list[Test], report: Report) -> list[str]:
    """Tests that Meson calls bad and none of whose cases tells why: of a TAP test that dies, hangs or breaks its plan the
    report holds the points until then alone."""
    bad = {text_of(row, "name") or "" for row in json_lines(log, bool) if row.get("result") not in GOOD_RESULTS}
    names = unique(test.id() for test in tests if any(bare_test(test.project, name) == test.name for name in bad))
    failed = [name for name, status in report.tests.items() if status in ("FAILED", "ERROR")]
    explained = {name.split(" > ")[0] for name in failed} | {re.sub(r" #\d+$", "", name) for name in failed}
    return [name for name in names if canonical_id(name) not in explained]


if __name__ == "__main__":
    main()
