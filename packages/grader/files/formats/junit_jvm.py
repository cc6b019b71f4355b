"""JUnit XML of JVM builds: to ids of module, class and method."""

from __future__ import annotations

import re

from formats.junit import Case, read_report
from report import JS_SPACE, Report, canonical_id

CLASS_LEVEL = ("initializationError", "executionError", "classMethod")


def parse_below(text: str, path: str, mark: str) -> Report:
    """`mark` is the folder that a build writes its reports below; a module at the root is `.`."""
    at = f"/{path}".rfind(mark)
    module = "." if at <= 0 else path[: at - 1]
    return read_report(text, lambda cases: jvm_report(cases, module))


def jvm_report(cases: list[Case], module: str) -> Report:
    report = Report()
    last = scope = ""
    for case in cases:
        classname, name = case.attributes.get("classname", ""), case.attributes.get("name", "")
        if classname != last:
            last, scope = classname, canonical_id(f"{module}::{classname}")
        status = jvm_status(case)
        if not classname:
            report.malformed += 1
        elif name and name != classname and name not in CLASS_LEVEL:
            report.add_next(f"{scope}::{canonical_id(method_of(name))}", status)
        elif status == "SKIPPED":
            report.add(scope, status)
        elif status == "PASSED":
            report.malformed += 1
        else:
            report.unloaded.add(scope)
    return report


def jvm_status(case: Case) -> str:
    """Of a test that was run again the first attempt counts."""
    if not case.marks:
        return "PASSED"
    retried = next((mark["kind"] for mark in case.marks if mark["kind"] in ("flakyFailure", "flakyError")), None)
    if retried and not case.mark("error") and not case.mark("failure"):
        return "ERROR" if retried == "flakyError" else "FAILED"
    return case.status()


BLANKS = frozenset(JS_SPACE)


def method_of(title: str) -> str:
    """Without the types of parameters, and without the address where an object is printed by it."""
    name = re.sub(r"(?<=[A-Za-z0-9_$]@)[0-9a-f]{5,8}(?![A-Za-z0-9_])", "", title) if "@" in title else title
    if not name.endswith((")", "}", "]")):
        return name
    end = invocations_at(name)
    last = name[end - 1 : end]
    opening = name.rfind("(", 0, end) if last == ")" else name.rfind("{", 0, end) if last == "}" else -1
    if opening < 1 or name[opening - 1] in BLANKS:
        return name
    is_signature = end < len(name) or opening == end - 2 or BLANKS.isdisjoint(name[:opening])
    return name[:opening] + name[end:] if is_signature else name


def invocations_at(name: str) -> int:
    """Where the `[1]` of a name begin; of a name with absurdly many the last ones."""
    end = len(name)
    for _ in range(32):
        if name[end - 1 : end] != "]":
            break
        opening = name.rfind("[", 0, end)
        if opening < 0 or not is_index(name[opening + 1 : min(end - 1, opening + 11)]):
            break
        end = opening
    return end


def is_index(text: str) -> bool:
    return len(text) <= 9 and text.isascii() and text.isdigit()
