"""The event stream of `go test -json`: ids are <package>::<test>."""

from __future__ import annotations

import re
from typing import Any, Optional

from report import Report, canonical_id, json_lines, text_of

GO_ENDS = {"pass": "PASSED", "fail": "FAILED", "skip": "SKIPPED"}
GO_MARKERS = {"PASS": "PASSED", "FAIL": "FAILED", "SKIP": "SKIPPED"}


def parse(text: str, _path: str = "") -> Report:
    report = Report()
    running: dict[tuple[str, str], Optional[str]] = {}  # to a status by a marker in its output, if any
    ended: set[tuple[str, str]] = set()
    packages: dict[str, dict[str, bool]] = {}
    for value in json_lines(text, go_wanted):
        action, package, test = (text_of(value, key) for key in ("Action", "Package", "Test"))
        output = text_of(value, "Output") or ""
        if action is None:
            report.malformed += 1
        elif package is not None and test is not None:
            if test.startswith("Benchmark"):
                continue
            running.setdefault((package, test))
            if action in GO_ENDS:
                ended.add((package, test))
                report.add(canonical_id(f"{package}::{test}"), GO_ENDS[action])
            elif action == "output" and running[package, test] is None:
                running[package, test] = go_marker(output, test)
        elif package is not None:
            go_package(packages.setdefault(package, {"ended": False, "died": False, "said_fail": False}), action, value)
    for key, marker in running.items():
        if key not in ended:
            report.add(canonical_id("::".join(key)), marker or "ERROR")
    report.unloaded = {canonical_id(name) for name, state in packages.items() if state["died"] or not state["ended"]}
    return report


def go_wanted(line: str) -> bool:
    return '"Action":"output"' not in line or "--- " in line or "FAIL" in line or not line.endswith("}")


def go_marker(output: str, test: str) -> Optional[str]:
    return next((status for verb, status in GO_MARKERS.items() if f"--- {verb}: {test} (" in output), None)


def go_package(state: dict[str, bool], action: str, value: dict[str, Any]) -> None:
    output = text_of(value, "Output") or ""
    if action == "output" and output.endswith("FAIL\n"):
        state["said_fail"] = True
    if action == "output" and re.fullmatch(r"FAIL\t[^\n\r\u2028\u2029]* \[(?:build|setup) failed\]\n?", output):
        state["died"] = True
    if action in ("pass", "skip", "fail"):
        state["ended"] = True
    if action == "fail" and (not state["said_fail"] or text_of(value, "FailedBuild") is not None):
        state["died"] = True
