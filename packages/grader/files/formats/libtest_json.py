"""The stream of cargo_tests.py: libtest's JSON events, each test program between a target and an exit line."""

from __future__ import annotations

from typing import Any, Optional

from report import Report, canonical_id, json_lines, text_of, unreadable

ENDS = {"ok": "PASSED", "failed": "FAILED", "ignored": "SKIPPED"}
SHOULD_PANIC = " - should panic"


def parse(text: str, _path: str = "") -> Report:
    report = Report()
    program: Optional[Program] = None
    done = False
    for value in json_lines(text, lambda line: True):
        kind, name = text_of(value, "type"), text_of(value, "name") or ""
        if kind == "done":
            done = True
        elif kind == "unbuilt" and name:
            report.unloaded.add(canonical_id(name))
        elif kind == "target" and name:
            if program:
                program.leave(None)
            program = Program(name, report)
        elif kind == "exit" and program:
            program.leave(value.get("code"))
            program = None
        elif not program or not program.hear(kind, text_of(value, "event"), name, value.get("test_count")):
            report.malformed += 1
    return report if done else unreadable("the run did not come to its end")


class Program:
    def __init__(self, scope: str, report: Report) -> None:
        self.scope = scope
        self.report = report
        self.running: dict[str, None] = {}
        self.ended: set[str] = set()
        self.suites = self.open = self.missing = 0
        self.failed = False
        self.counts = True  # every suite said how many tests it has

    def hear(self, kind: Optional[str], event: Optional[str], name: str, count: Any) -> bool:
        """Whether an event is one of libtest's and in its place."""
        if kind == "suite" and event is not None:
            self.suites += event == "started"
            self.open = max(0, self.open + (1 if event == "started" else -1))
            if event == "started":
                self.missing += count if isinstance(count, float) else 0
                self.counts = self.counts and isinstance(count, float)
            return True
        if kind != "test" or not name or event is None:
            return False
        if event == "started":
            self.running[name] = None
            self.missing -= 1
        elif event in ENDS and (name in self.running or name in self.ended):
            self.end(name, ENDS[event])
        else:
            return event == "timeout"  # has run long and goes on
        return True

    def end(self, name: str, status: str) -> None:
        self.running.pop(name, None)
        self.ended.add(name)
        self.failed = self.failed or status == "FAILED"
        self.report.add(test_id(self.scope, name), status)

    def leave(self, code: Any) -> None:
        """At its exit; without a number its end was never seen."""
        for name in self.running:
            self.report.add(test_id(self.scope, name), "ERROR")
        if self.suites == 0 and code == 0 and isinstance(code, float):
            self.report.add(canonical_id(f"{self.scope}::main"), "PASSED")
        elif not self.is_whole(code):
            self.report.unloaded.add(canonical_id(self.scope))

    def is_whole(self, code: Any) -> bool:
        """Whether it told of all tests that it announced, and its exit code says the same as they do."""
        told = self.suites > 0 and self.open == 0 and (self.missing == 0 or not self.counts)
        return told and isinstance(code, float) and (code == 0 or (code > 0 and self.failed))


def test_id(scope: str, name: str) -> str:
    head, line, _ = name.rpartition(" (line ")
    if not scope.endswith("/doc") or not line:
        plain = name[: -len(SHOULD_PANIC)] if name.endswith(SHOULD_PANIC) else name
        return canonical_id(f"{scope}::{plain}")
    file, dash, item = head.partition(" - ")
    if not dash:
        file, item = file[:-2] if file.endswith(" -") else file, "crate"
    return canonical_id(f"{scope}:{file}::{item}")
