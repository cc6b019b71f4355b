"""The XML report of a Catch2 or doctest program, to <program>::case; sections and subcases fold into their case."""

from __future__ import annotations

import re
from typing import Optional

from report import Report, canonical_id, unreadable, visit_xml

ROOT = r"<\?xml|<(?:Catch2TestRun|Catch|doctest)[ \t\r\n>]"


class Case:
    def __init__(self, attributes: dict[str, str], suite: str) -> None:
        name, tags = attributes.get("name", ""), attributes.get("tags", "")
        self.name = f"{suite} > {name}" if suite and name else name
        self.must_fail = attributes.get("should_fail") == "true" or "[!shouldfail]" in tags
        self.may_fail = attributes.get("may_fail") == "true" or "[!mayfail]" in tags
        self.skipped = attributes.get("skipped") == "true"
        self.success: Optional[str] = None
        self.skips = False
        self.failed = False
        self.died = False

    def note(self, element: str, attributes: dict[str, str]) -> None:
        if element in ("OverallResult", "OverallResultsAsserts"):
            self.success = attributes.get("test_case_success", attributes.get("success"))
            self.skips = re.fullmatch("[1-9][0-9]*", attributes.get("skips", "0")) is not None
        elif element == "FatalErrorCondition" or (element == "Exception" and attributes.get("crash") == "true"):
            self.died = True
        elif element == "Expression":
            self.failed = self.failed or attributes.get("success") == "false"
        elif element in ("Exception", "Failure"):
            self.failed = True
        elif element == "Message":
            self.failed = self.failed or attributes.get("type") in ("ERROR", "FATAL ERROR")

    def status(self) -> Optional[str]:
        if self.skipped:
            return "SKIPPED"
        if self.died:
            return "ERROR"
        if self.success == "false":
            return "XPASS" if self.must_fail and not self.failed else "FAILED"
        if self.success != "true":
            return None
        if self.must_fail or (self.may_fail and self.failed):
            return "XFAIL"
        return "SKIPPED" if self.skips else "PASSED"


def parse(text: str, path: str = "") -> Report:
    report = Report()
    program = re.sub(r"\.(?:json|xml)\Z", "", path) or "catch"
    suite = ""
    current: Optional[Case] = None

    def open_tag(name: str, attributes: dict[str, str]) -> None:
        nonlocal suite, current
        if name == "TestSuite":
            suite = attributes.get("name", "")
        elif name == "TestCase":
            current = Case(attributes, suite)
        elif current:
            current.note(name, attributes)

    def close_tag(name: str) -> None:
        nonlocal suite, current
        if name == "TestSuite":
            suite = ""
        if name != "TestCase" or not current:
            return
        status = current.status()
        if not current.name or status is None:
            report.malformed += 1
        else:
            report.add_next(canonical_id(f"{program}::{current.name}"), status)
        current = None

    failure = visit_xml(text, ROOT, open_tag, close_tag)
    return report if failure is None else unreadable(failure)
