"""Reports of Gradle's test tasks, found at <module>/build/test-results/<task>/TEST-<class>.xml."""

from __future__ import annotations

from formats.junit_jvm import parse_below
from report import Report


def parse(text: str, path: str = "") -> Report:
    return parse_below(text, path, "/build/test-results/")
