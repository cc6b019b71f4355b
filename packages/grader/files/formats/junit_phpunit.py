"""JUnit XML as PHPUnit writes it: to ids of file, class, method and data set."""

from __future__ import annotations

import re
from typing import Iterable

from formats.junit import Case, read_report
from report import Report, canonical_id


STAND_IN = re.compile(r"PHPUnit\\Framework\\(?:Warning|Error)TestCase")
WORK_TREE = "/app/"  # PHPUnit names files by their whole path
RISKY = re.compile(
    r"\\(?:RiskyTest[A-Za-z0-9_]*|OutputError|UnintentionallyCoveredCodeError|CoveredCodeNotExecutedException|MissingCoversAnnotationException)\Z"
)


def parse(text: str, _path: str = "") -> Report:
    return read_report(text, phpunit_report)


def phpunit_report(cases: list[Case]) -> Report:
    report = Report()
    for case in cases:
        name, class_name = case.attributes.get("name", ""), case.attributes.get("class", "")
        scope = scope_of(case)
        unloaded = any(mark.get("type") == "r2e.error" for mark in case.marks)
        case.marks = [mark for mark in case.marks if not RISKY.search(mark.get("type", ""))]
        status = case.status()
        if not scope:
            report.malformed += 1
        elif unloaded:
            report.unloaded.add(canonical_id(scope))
        elif STAND_IN.fullmatch(class_name):
            if status in ("ERROR", "FAILED"):
                report.unloaded.add(canonical_id(scope))
        elif not name:
            report.malformed += 1
        else:
            report.add(canonical_id(f"{scope}::{class_name}::{name}" if class_name else scope), status)
    return report


def scope_of(case: Case) -> str:
    """The file of the class that runs, also for a method that it inherits."""
    class_name = case.attributes.get("class")
    own = (suite for suite in reversed(case.suites) if suite.get("name") == class_name)
    file = first_file(own) or case.attributes.get("file") or first_file(reversed(case.suites))
    return file[len(WORK_TREE) :] if file.startswith(WORK_TREE) else file


def first_file(suites: Iterable[dict[str, str]]) -> str:
    return next((suite["file"] for suite in suites if suite.get("file")), "")
