"""JUnit XML of `bun test --reporter=junit`: a suite per file, its describe blocks nested below it."""

from __future__ import annotations

from formats.junit import Case, read_report
from report import Report, canonical_id, scoped_id

HOOK = "(unnamed)"  # of a describe block or file


def parse(text: str, _path: str = "") -> Report:
    return read_report(text, bun_report)


def bun_report(cases: list[Case]) -> Report:
    report = Report()
    for case in cases:
        outermost = case.suites[0] if case.suites else {}
        scope = case.attributes.get("file") or outermost.get("file") or outermost.get("name") or ""
        name, status = case.attributes.get("name", ""), case.status()
        if not scope or not name:
            report.malformed += 1
        elif name == HOOK and status != "PASSED":
            report.unloaded.add(canonical_id(scope))
        else:
            titles = [*(suite.get("name", "") for suite in case.suites[1:]), name]
            report.add_next(canonical_id(scoped_id(scope, titles)), status)
    return report
