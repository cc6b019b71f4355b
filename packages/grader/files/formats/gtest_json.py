"""The JSON report of a GoogleTest program, to <program>::Suite.Name."""

from __future__ import annotations

import json
import re
from typing import Any, Optional, Union

from report import JS_SPACE, Report, canonical_id, load_json, unreadable

Row = dict[str, Any]


def parse(text: str, path: str = "") -> Report:
    document = parse_document(text)
    if isinstance(document, str):
        return unreadable(document)
    report = Report()
    program = re.sub(r"\.(?:json|xml)\Z", "", path) or "gtest"
    for suite in rows_of(document, "testsuites"):
        add_suite(report, f"{program}::{name_of(suite)}", suite)
    return report


def add_suite(report: Report, scope: str, suite: Row) -> None:
    """A failure outside all tests makes the suite unloaded: its tests are then reported as skipped, and are left out."""
    rows = rows_of(suite, "testsuite")
    broken = any(row.get("name") == "" and rows_of(row, "failures") for row in rows)
    if broken:
        report.unloaded.add(canonical_id(scope))
    for row in rows:
        status = status_of(row)
        if row.get("name") == "":
            continue
        if not name_of(suite) or not name_of(row) or status is None:
            report.malformed += 1
        elif not (broken and status == "SKIPPED"):
            report.add(canonical_id(f"{scope}.{name_of(row)}"), status)


def parse_document(text: str) -> Union[Row, str]:
    if not text.strip(JS_SPACE):
        return "the report is empty"
    try:
        value = load_json(text[text.startswith("\ufeff") :])
    except (ValueError, RecursionError):
        return "the report is not JSON"
    if isinstance(value, dict) and isinstance(value.get("testsuites"), list):
        return value
    return "the report lists no test suites"


def rows_of(value: Row, key: str) -> list[Row]:
    rows = value.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def name_of(row: Row) -> str:
    name = row.get("name")
    return name if isinstance(name, str) else ""


def status_of(row: Row) -> Optional[str]:
    if row.get("status") == "NOTRUN":
        return "SKIPPED"
    if row.get("status") != "RUN":
        return None
    if rows_of(row, "failures"):
        return "FAILED"
    if row.get("result") == "SKIPPED":
        return "SKIPPED"
    return "PASSED" if "result" not in row or row["result"] == "COMPLETED" else None
