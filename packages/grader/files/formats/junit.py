"""Reading JUnit XML, whoever wrote it: the cases of a document, each with its marks and the suites around it."""

from __future__ import annotations

from typing import Callable, Optional, Union

from report import Report, unreadable, visit_xml

MARKS = ("error", "failure", "skipped", "flakyFailure", "flakyError", "rerunFailure", "rerunError")


class Case:
    def __init__(self, attributes: dict[str, str], suites: tuple[dict[str, str], ...]) -> None:
        self.attributes = attributes
        self.suites = suites  # attributes of the enclosing testsuite elements, outermost first
        self.marks: list[dict[str, str]] = []  # attributes, and "kind": the element's name

    def mark(self, kind: str) -> Optional[dict[str, str]]:
        return next((mark for mark in self.marks if mark["kind"] == kind), None)

    def status(self) -> str:
        if not self.marks:
            return "PASSED"
        if self.mark("error"):
            return "ERROR"
        if self.mark("failure"):
            return "FAILED"
        return "SKIPPED" if self.mark("skipped") else "PASSED"


def read_report(text: str, convert: Callable[[list[Case]], Report]) -> Report:
    cases = read_cases(text)
    return unreadable(cases) if isinstance(cases, str) else convert(cases)


def read_cases(text: str) -> Union[list[Case], str]:
    """The cases of a document, or why it cannot be read."""
    cases: list[Case] = []
    suites: list[tuple[dict[str, str], ...]] = [()]

    def open_tag(name: str, attributes: dict[str, str]) -> None:
        if name == "testsuite":
            suites.append((*suites[-1], attributes))
        elif name == "testcase":
            cases.append(Case(attributes, suites[-1]))
        elif name in MARKS and cases:
            cases[-1].marks.append({**attributes, "kind": name})

    def close_tag(name: str) -> None:
        if name == "testsuite":
            suites.pop()

    return visit_xml(text, r"<\?xml|<testsuites?[ \t\r\n>/]", open_tag, close_tag) or cases
