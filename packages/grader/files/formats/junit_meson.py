"""JUnit XML as `meson test` writes it, to project:suite::test and project:suite::test > case."""

from __future__ import annotations

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
    if SEPARATOR not in suite:
        return test_of(name) if SEPARATOR in name else None
    test = test_of(without_project(suite))
    if not name:
        return f"{test} > "
    if classname == suite:
        return f"{test} > " + re.sub(r"\A[0-9]+ - (?=.)", "", name, flags=re.DOTALL)
    inner = test[: -len(classname) - 1] if classname and test.endswith(f".{classname}") else test
    return f"{inner} > {classname}.{name}"


def without_project(suite: str) -> str:
    """project.project:suite / test → project:suite / test"""
    twice = re.split(":| / ", suite, maxsplit=1)[0]
    half = twice[: (len(twice) - 1) // 2]
    return suite[len(half) + 1 :] if twice == f"{half}.{half}" else suite


def test_of(text: str) -> str:
    return text.replace(SEPARATOR, "::", 1)
