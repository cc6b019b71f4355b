"""JUnit XML as `meson test` writes it, to project::test and project::test > case."""

from __future__ import annotations

import functools
import re
from typing import Optional

from formats.junit import Case, read_report
from report import Report, canonical_id

SEPARATOR = " / "


def parse(text: str, _path: str = "") -> Report:
    return read_report(text, meson_report)


def meson_report(cases: list[Case]) -> Report:
    report = Report()
    for case in cases:
        place = place_of(case)
        if place is None:
            report.malformed += 1
        elif place.endswith(" > "):
            report.unloaded.add(canonical_id(place[:-3]))
        else:
            disabled = case.attributes.get("status") in ("notrun", "disabled")
            report.add_next(canonical_id(place), "SKIPPED" if disabled else case.status())
    return report


def place_of(case: Case) -> Optional[str]:
    """The id; one that ends with " > " is a failure outside all cases of that test."""
    name, classname = case.attributes.get("name", ""), case.attributes.get("classname", "")
    suite = case.suites[-1].get("name", "") if case.suites else ""
    if not suite:
        return None
    # Cases of a TAP test have no time, and carry the name of their suite too.
    if classname == suite and "time" in case.attributes:
        return f"{suite}::{bare_test(suite, name)}" if name else None
    project, test = split_suite(suite)
    if not name:
        return f"{project}::{test} > "
    if classname == suite:
        return f"{project}::{test} > " + re.sub(r"\A[0-9]+ - (?=.)", "", name, flags=re.DOTALL)
    inner = test[: -len(classname) - 1] if classname and test.endswith(f".{classname}") else test
    return f"{project}::{inner} > {classname}.{name}"


def bare_test(project: str, name: str) -> str:
    """project:suite / test → test: Meson writes what stands before it only where the project has several suites."""
    prefix, separator, rest = name.partition(SEPARATOR)
    return rest if separator and (prefix == project or prefix.startswith(f"{project}:")) else name


@functools.lru_cache(maxsize=16)
def split_suite(suite: str) -> tuple[str, str]:
    """project.test or project.project:suite / test → project and test"""
    twice = re.split(":| / ", suite, maxsplit=1)
    half = twice[0][: (len(twice[0]) - 1) // 2]
    if len(twice) == 2 and twice[0] and twice[0] == f"{half}.{half}":
        return half, bare_test(half, suite[len(half) + 1 :])
    project, dot, test = suite.partition(".")
    return (project, test) if dot else ("", suite)
