"""Reading JUnit XML, whoever wrote it: the cases of a document, each with its marks and the suites around it."""

from __future__ import annotations

import re
import xml.parsers.expat
from typing import Callable, Optional, Union

from report import Report, unreadable

MAX_DEPTH = 100
MARKS = ("error", "failure", "skipped", "flakyFailure", "flakyError", "rerunFailure", "rerunError")


class Case:
    def __init__(self, attributes: dict[str, str], suites: tuple[dict[str, str], ...]) -> None:
        self.attributes = attributes
        self.suites = suites  # attributes of the enclosing testsuite elements, outermost first
        self.marks: list[dict[str, str]] = []  # attributes, and "kind": the element's name

    def mark(self, kind: str) -> Optional[dict[str, str]]:
        return next((mark for mark in self.marks if mark["kind"] == kind), None)

    def status(self) -> str:
        if self.mark("error"):
            return "ERROR"
        if self.mark("failure"):
            return "FAILED"
        return "SKIPPED" if self.mark("skipped") else "PASSED"


def read_report(text: str, convert: Callable[[list[Case]], Report]) -> Report:
    cases = read_cases(text)
    return unreadable(cases) if isinstance(cases, str) else convert(cases)


def read_cases(text: str) -> Union[list[Case], str]:
    """The cases of a document, or why it cannot be read. Text before the document is cut."""
    start = re.search(r"<\?xml|<testsuites?[\s>/]", text)
    if not start:
        return "the report holds no XML document" if text.strip() else "the report is empty"
    cases: list[Case] = []
    suites: list[tuple[dict[str, str], ...]] = [()]
    depth = 0

    def open_tag(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError("the XML is nested too deeply")
        if name == "testsuite":
            suites.append((*suites[-1], attributes))
        elif name == "testcase":
            cases.append(Case(attributes, suites[-1]))
        elif name in MARKS and cases:
            cases[-1].marks.append({**attributes, "kind": name})

    def close_tag(name: str) -> None:
        nonlocal depth
        depth -= 1
        if name == "testsuite":
            suites.pop()

    def doctype(*_: object) -> None:
        raise ValueError("the XML has a document type")

    document = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text[start.start() :])
    parser = xml.parsers.expat.ParserCreate("utf-8")
    parser.StartElementHandler = open_tag
    parser.EndElementHandler = close_tag
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(document.encode("utf-8", "replace"), True)
    except (xml.parsers.expat.ExpatError, ValueError) as error:
        return f"the XML is not well-formed: {error}"
    return cases
