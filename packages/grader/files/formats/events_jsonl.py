"""One JSON object per line, as our own reporters write them."""

from __future__ import annotations

from typing import Any

from report import STATUSES, Report, canonical_id, json_lines, text_of


def parse(text: str, _path: str = "") -> Report:
    report = Report()
    modules: list[str] = []
    running: dict[tuple[str, int], None] = {}
    done = False
    for value in json_lines(text, lambda line: True):
        event = value.get("event")
        name, scope = canonical_id(text_of(value, "id") or ""), canonical_id(text_of(value, "scope") or "")
        nth = ordinal_of(value)
        if event == "done":
            done = True
        elif event == "module" and scope:
            modules.append(scope)
        elif event == "unloaded" and scope:
            report.unloaded.add(scope)
        elif event == "start" and name and nth:
            running[name, nth] = None
        elif event == "end" and name and nth and value.get("status") in STATUSES:
            running.pop((name, nth), None)
            report.add(name, value["status"], nth)
        else:
            report.malformed += 1
    for name, nth in running:
        report.add(name, "ERROR", nth)
    if not done:
        report.unloaded.update(modules)
    return report


def ordinal_of(value: dict[str, Any]) -> int:
    """Which of several tests of one id an event is of; 0 for what is no ordinal."""
    nth = value.get("nth", 1.0)
    whole = isinstance(nth, (int, float)) and not isinstance(nth, bool) and nth == nth // 1
    return int(nth) if whole and 1 <= nth <= 1e9 else 0
