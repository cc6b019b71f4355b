"""One JSON object per line, as our own reporters write them."""

from __future__ import annotations

from report import STATUSES, Report, canonical_id, json_lines, text_of


def parse(text: str, _path: str = "") -> Report:
    report = Report()
    modules: list[str] = []
    running: dict[str, None] = {}
    done = False
    for value in json_lines(text, lambda line: True):
        event = value.get("event")
        name, scope = canonical_id(text_of(value, "id") or ""), canonical_id(text_of(value, "scope") or "")
        if event == "done":
            done = True
        elif event == "module" and scope:
            modules.append(scope)
        elif event == "unloaded" and scope:
            report.unloaded.add(scope)
        elif event == "start" and name:
            running[name] = None
        elif event == "end" and name and value.get("status") in STATUSES:
            running.pop(name, None)
            report.add(name, value["status"])
        else:
            report.malformed += 1
    for name in running:
        report.add(name, "ERROR")
    if not done:
        report.unloaded.update(modules)
    return report
