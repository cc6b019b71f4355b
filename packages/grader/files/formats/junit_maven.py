"""Reports of Maven's surefire and failsafe, found at <module>/target/surefire-reports/TEST-<class>.xml."""

from __future__ import annotations

from formats.junit_jvm import parse_below
from report import Report


def parse(text: str, path: str = "") -> Report:
    return parse_below(text, path, "/target/")
