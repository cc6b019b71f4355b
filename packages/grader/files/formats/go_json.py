"""The event stream of `go test -json`: ids are <package>::<test>."""

from __future__ import annotations

import re
from typing import Any, Optional

from report import Report, canonical_id, json_lines, text_of

GO_ENDS = {"pass": "PASSED", "fail": "FAILED", "skip": "SKIPPED"}
GO_MARKERS = {"PASS": "PASSED", "FAIL": "FAILED", "SKIP": "SKIPPED"}


class Package:
    def __init__(self) -> None:
        self.ended = self.died = self.said_fail = False
        self.closed = False  # it said PASS or FAIL behind all of its tests
        self.running: dict[str, Optional[str]] = {}  # without an end yet, to the status that its output gives it
        self.last_end: Optional[str] = None  # the test that ended, where that is the last event

    def test_event(self, test: str, action: str, report: Report) -> None:
        self.last_end = None
        self.closed = False
        if action in GO_ENDS:
            self.running.pop(test, None)
            self.last_end = test
            report.add(canonical_id(test), GO_ENDS[action])
        else:
            self.running.setdefault(test, None)

    def note_marker(self, test: str, name: str, output: str) -> None:
        """Older versions lose an end behind output without a newline."""
        self.closed = False
        if test in self.running and self.running[test] is None:
            found = (status for verb, status in GO_MARKERS.items() if f"--- {verb}: {name} (" in output)
            self.running[test] = next(found, None)

    def package_event(self, action: str, value: dict[str, Any]) -> None:
        output = text_of(value, "Output") or ""
        if action == "output" and output.endswith("FAIL\n"):
            self.said_fail = True
        if action == "output" and output.endswith(("PASS\n", "FAIL\n")):
            self.closed = True
        if action == "output" and re.fullmatch(r"FAIL\t[^\n\r\u2028\u2029]* \[(?:build|setup) failed\]\n?", output):
            self.died = True
        if action in ("pass", "skip", "fail"):
            self.ended = True
        if action == "fail" and (not self.said_fail or text_of(value, "FailedBuild") is not None):
            self.died = True

    def open_tests(self) -> dict[str, Optional[str]]:
        """A marker counts where the package came to its own end: a process that exits inside a test could print one. Where
        it exits with 0, go names the end of the package as the end of that test."""
        found = {test: marker if self.closed else None for test, marker in self.running.items()}
        if self.last_end is not None and not self.ended:
            found[self.last_end] = None
        return found


def parse(text: str, _path: str = "") -> Report:
    report = Report()
    packages: dict[str, Package] = {}
    for value in json_lines(text, go_wanted):
        action, name, test = (text_of(value, key) for key in ("Action", "Package", "Test"))
        if action is None:
            report.malformed += 1
        elif name is not None and test is None:
            packages.setdefault(name, Package()).package_event(action, value)
        elif name is not None and test is not None and action == "output":
            packages.setdefault(name, Package()).note_marker(f"{name}::{test}", test, text_of(value, "Output") or "")
        elif name is not None and test is not None and not test.startswith("Benchmark"):
            packages.setdefault(name, Package()).test_event(f"{name}::{test}", action, report)
    for name, package in packages.items():
        open_tests = package.open_tests()
        for test, status in open_tests.items():
            report.add(canonical_id(test), status or "ERROR")
        if None in open_tests.values() or package.died or not package.ended:
            report.unloaded.add(canonical_id(name))
    return report


def go_wanted(line: str) -> bool:
    return '"Action":"output"' not in line or "FAIL" in line or "--- " in line or '"PASS' in line or not line.endswith("}")
