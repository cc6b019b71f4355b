"""Test programs of GoogleTest, Catch2 and doctest: run as a whole, and test by test where a program dies."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional
from xml.etree import ElementTree

from native_run import ALONE_SECONDS, BINARY_SECONDS, Events, output_of, read_report, run, scratch_folder, unique
from report import Report, canonical_id


class Gtest:
    form, ending = "gtest-json", "json"
    all_skipped = None
    marks = (b"_ZN7testing8UnitTest", b"--gtest_list_tests", b"libgtest")

    @staticmethod
    def report(path: str) -> list[str]:
        return [f"--gtest_output=json:{path}"]

    @staticmethod
    def own(arguments: list[str]) -> list[str]:
        return [word for word in arguments if not re.match("--gtest_(output|list_tests|also_run_disabled_tests)", word)]

    @staticmethod
    def names(program: Program) -> list[str]:
        names, suite = [], ""
        for line in program.list(["--gtest_list_tests"]).splitlines():
            name = line.split("  #")[0].rstrip()
            if line.startswith("  ") and suite:
                names.append(suite + name.strip())
            elif re.fullmatch(r"\S+\.", name):
                suite = name
        return names

    @staticmethod
    def select(name: str) -> list[str]:
        return [f"--gtest_filter={name}"]

    @staticmethod
    def selected(word: str) -> Optional[str]:
        """The one test that an argument selects."""
        match = re.fullmatch(r"--gtest_filter=([^*?:-]+)", word)
        return match and match[1]


class Catch:
    form, ending = "catch-xml", "xml"
    all_skipped = 4  # its exit code then
    marks = (b"_ZN5Catch7Session", b"libCatch2")

    @staticmethod
    def report(path: str) -> list[str]:
        return ["-r", "xml", "-o", path]

    @staticmethod
    def own(arguments: list[str]) -> list[str]:
        kept = list(arguments)
        for at in reversed(range(len(kept))):
            if kept[at] in ("-r", "--reporter", "-o", "--out"):
                del kept[at : at + 2]
            elif re.match("--(reporter|out)=", kept[at]):
                del kept[at]
        return kept

    @staticmethod
    def names(program: Program) -> list[str]:
        """Version 3 lists as XML, version 2 names alone by an option that version 3 does not have."""
        listed = program.list(["--list-tests", "-r", "xml"])
        try:
            cases = ElementTree.fromstring(listed[listed.find("<?xml") :].encode()).iter("Name")
            return [case.text or "" for case in cases]
        except ElementTree.ParseError:
            return [line for line in program.list(["--list-test-names-only"]).splitlines() if line]

    @staticmethod
    def select(name: str) -> list[str]:
        return [re.sub(r'([\\,\[\]"*~])', r"\\\1", name)]

    @staticmethod
    def selected(word: str) -> Optional[str]:
        return None if word.startswith("-") else re.sub(r"\\(.)", r"\1", word)


class Doctest:
    form, ending = "catch-xml", "xml"
    all_skipped = None
    marks = (b"_ZN7doctest7Context", b"[doctest] ")

    @staticmethod
    def report(path: str) -> list[str]:
        return ["-r=xml", f"-o={path}"]

    @staticmethod
    def own(arguments: list[str]) -> list[str]:
        return [word for word in arguments if not re.match("--?(dt-)?(r|reporters|o|out)=", word)]

    @staticmethod
    def names(program: Program) -> list[str]:
        listed = program.list(["--list-test-cases", "-r=xml"])
        try:
            cases = list(ElementTree.fromstring(listed[listed.find("<?xml") :].encode()).iter("TestCase"))
        except ElementTree.ParseError:
            return []
        suites = [case.get("testsuite", "") for case in cases]
        return [f"{suite} > {case.get('name', '')}" if suite else case.get("name", "") for suite, case in zip(suites, cases)]

    @staticmethod
    def select(name: str) -> list[str]:
        suite, _, case = name.rpartition(" > ")
        escaped = [re.sub(r"([\\,])", r"\\\1", text) for text in (case, suite)]
        return [f"--test-case={escaped[0]}", *([f"--test-suite={escaped[1]}"] if suite else [])]

    @staticmethod
    def selected(word: str) -> Optional[str]:
        match = re.fullmatch(r"--?(?:dt-)?(?:tc|test-case)=(.+)", word)
        return match and re.sub(r"\\(.)", r"\1", match[1])


KINDS = (Gtest, Catch, Doctest)


def kind_of(path: str) -> Optional[type]:
    """The framework of a program, by what its file holds: asking a program that has none would run its tests."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    return next((kind for kind in KINDS if any(mark in content for mark in kind.marks)), None)


@dataclass
class Program:
    path: str
    scope: str  # its path below the build folder: what its test ids begin with
    kind: type
    arguments: list[str] = field(default_factory=list)
    cwd: str = "."
    env: dict[str, str] = field(default_factory=dict)

    def list(self, words: list[str]) -> str:
        return output_of([self.path, *self.kind.own(self.arguments), *words], self.cwd, self.env)

    def run(self, events: Events, only: Optional[str] = None) -> bool:
        """Writes the events of all tests, or of one. False where this is no test program after all."""
        if only is not None:
            self.run_alone(events, only)
            return True
        code, report = self.measure([], BINARY_SECONDS)
        if report is not None and self.is_trusted(code, report):
            events.add(report)
            return True
        names = self.kind.names(self) if code != 0 else []
        if names:
            self.run_each(events, names)
        elif report is not None:
            events.unload(self.scope)
        return bool(names) or report is not None

    def is_trusted(self, code: Optional[int], report: Report) -> bool:
        """Whether the exit code says what the report says: a program may die, or be ended, after its report."""
        statuses = set(report.tests.values())
        if code is None or code <= 0:
            return code == 0
        failed = report.unloaded or statuses & {"FAILED", "ERROR", "XPASS"}
        return bool(failed) or (code == self.kind.all_skipped and statuses == {"SKIPPED"})

    def measure(self, words: list[str], seconds: float) -> tuple[Optional[int], Optional[Report]]:
        target = os.path.join(scratch_folder(), "report." + self.kind.ending)
        argv = [self.path, *self.kind.own(self.arguments), *words, *self.kind.report(target)]
        code = run(argv, self.cwd, seconds, self.env)
        return code, read_report(self.kind.form, target, f"{self.scope}.{self.kind.ending}")

    def run_each(self, events: Events, names: list[str]) -> None:
        """The program dies, hangs or contradicts itself: its tests are run one by one, so that one spoils no other."""
        deadline = time.monotonic() + BINARY_SECONDS
        for name in unique(names):
            if time.monotonic() > deadline:
                events.unload(self.scope)
                return
            self.run_alone(events, name)

    def run_alone(self, events: Events, name: str) -> None:
        """A parametrised name of Catch2 or doctest may stand for several; of those the worst counts."""
        code, report = self.measure(self.kind.select(name), ALONE_SECONDS)
        own = canonical_id(f"{self.scope}::{name}")
        if report is not None and own in report.tests and self.is_trusted(code, report):
            events.end(own, report.tests[own])
        elif report is not None and own not in report.tests and code == 0:
            events.add(report)
        else:
            events.end(own, "ERROR")
