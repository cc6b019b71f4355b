"""JUnit XML as cargo-nextest writes it, to the ids of cargo: a suite is a test program, by its binary id."""

from __future__ import annotations

from formats.junit import Case, read_report
from report import Report, canonical_id


def parse(text: str, _path: str = "") -> Report:
    return read_report(text, nextest_report)


def nextest_report(cases: list[Case]) -> Report:
    report = Report()
    for case in cases:
        suite = case.suites[-1].get("name") if case.suites else None
        binary, name = suite or case.attributes.get("classname", ""), case.attributes.get("name", "")
        if binary.startswith("@"):  # a setup script
            continue
        if binary and name:
            report.add(canonical_id(f"{scope_of(binary)}::{name}"), status_of(case))
        else:
            report.malformed += 1
    return report


def scope_of(binary: str) -> str:
    """crate to crate/lib, crate::it to crate/test:it, crate::bin/x to crate/bin:x."""
    crate, colons, target = binary.partition("::")
    kind, slash, name = target.partition("/")
    if not colons or (slash and kind == "proc-macro"):
        return f"{crate}/lib"
    return f"{crate}/{kind}:{name}" if slash else f"{crate}/test:{target}"


def status_of(case: Case) -> str:
    for mark in case.marks:
        if mark["kind"] == "failure" and mark.get("type", "").startswith(("test abort", "execution failure")):
            return "ERROR"
    # The first attempt counts.
    return "FAILED" if case.mark("flakyFailure") or case.mark("flakyError") else case.status()
