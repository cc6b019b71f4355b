"""JUnit XML as pytest writes it with junit_family=xunit1: to node ids of file, class chain, name and parameters."""

from __future__ import annotations

import functools
import re

from formats.junit import Case, read_report
from report import Report, canonical_id


MAX_CLASSNAME = 4096
MODULE_PARTS = 32  # of a class name, in which a module is looked for


def parse(text: str, _path: str = "") -> Report:
    return read_report(text, pytest_report)


def pytest_report(cases: list[Case]) -> Report:
    report = Report()
    files = module_files(cases)
    scopes: dict[tuple[str, str], str] = {}
    for case in cases:
        classname, name, file = (case.attributes.get(key, "") for key in ("classname", "name", "file"))
        status = pytest_status(case)
        if not name or len(classname) > MAX_CLASSNAME:
            report.malformed += 1
        elif classname:
            key = (classname, file)
            if key not in scopes:
                scopes[key] = scope_of(classname, file, files)
            report.add(canonical_id(f"{scopes[key]}::{name}"), status)
        else:
            scope = canonical_id(file or files.get(name) or name.replace(".", "/") + ".py")
            if status in ("ERROR", "FAILED"):
                report.unloaded.add(scope)
            elif status == "SKIPPED":
                report.add(scope, status)
    return report


def pytest_status(case: Case) -> str:
    status, skipped = case.status(), case.mark("skipped")
    return "XFAIL" if status == "SKIPPED" and skipped and skipped.get("type") == "pytest.xfail" else status


@functools.lru_cache(maxsize=None)
def module_of(file: str) -> str:
    module = file.replace("/", ".")
    return module[:-3] if module.endswith(".py") else module


def module_files(cases: list[Case]) -> dict[str, str]:
    files = {}
    for case in cases:
        classname, file = case.attributes.get("classname", ""), case.attributes.get("file", "")
        own = module_of(file)
        if own and (classname == own or classname.startswith(own + ".")):
            files[own] = file
    return files


def scope_of(classname: str, file: str, files: dict[str, str]) -> str:
    """What stands before the name in an id: file and class chain."""
    own = module_of(file)
    if classname == own:
        return file
    if own and classname.startswith(own + "."):
        return "::".join([file, *classname[len(own) + 1 :].split(".")])
    # A method inherited from another file: "file" says where it is written, the class name where the test is.
    parts = classname.split(".")
    for end in range(min(len(parts), MODULE_PARTS), 0, -1):
        known = files.get(".".join(parts[:end]))
        if known is not None:
            return "::".join([known, *parts[end:]])
    end = next((at for at, part in enumerate(parts) if at > 0 and re.match("[A-Z]", part)), len(parts))
    return "::".join(["/".join(parts[:end]) + ".py", *parts[end:]])
