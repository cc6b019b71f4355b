"""JUnit XML as `ctest --output-junit` writes it, to ctest::<name>."""

from __future__ import annotations

import re

from formats.junit import Case, read_report
from report import Report, canonical_id

# How ctest names the end of a test that it or the system ended; an abort is how an assertion fails.
DIED = ("Timeout", "SEGFAULT", "ILLEGAL", "INTERRUPT", "NUMERICAL", "BAD_COMMAND")


def parse(text: str, _path: str = "") -> Report:
    return read_report(text, ctest_report)


def ctest_report(cases: list[Case]) -> Report:
    report = Report()
    for case in cases:
        name = case.attributes.get("name", "")
        if name:
            report.add(canonical_id(f"ctest::{name}"), status_of(case))
        else:
            report.malformed += 1
    return report


def status_of(case: Case) -> str:
    status = case.attributes.get("status")
    message = next((mark.get("message", "") for mark in case.marks if mark["kind"] != "error"), "")
    if status == "run":
        return "PASSED"
    if status == "disabled":
        return "SKIPPED"
    if status == "notrun":
        return "SKIPPED" if re.match(r"SKIP_(?:RETURN_CODE|REGULAR_EXPRESSION)", message) else "ERROR"
    return "FAILED" if status == "fail" and message not in DIED else "ERROR"
