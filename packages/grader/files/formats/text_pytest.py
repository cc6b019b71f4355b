"""The console log of pytest, the last resort where no report can be had."""

from __future__ import annotations

import re

from report import JS_SPACE, Report, canonical_id


TEXT_STATUS = ("PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS")
TEXT_SUMMARY = re.compile(
    r"(PASSED|FAILED|ERROR|XFAIL|XPASS|SUBFAIL(?:ED)?)(?:\([^)]*\)|\[[^\]]*\] \([^)]*\)|\[[^\]]*\])? (.+)",
    re.DOTALL,
)


def parse(text: str, _path: str = "") -> Report:
    report = Report()
    known: set[str] = set()
    part = "test session starts"
    for raw in text.split("\n"):
        line = re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]", "", raw).replace("\r", "").rstrip(" ")
        title = re.fullmatch(r"={3,} (.+?) ={3,}", line, re.DOTALL)
        if title:
            part = title[1]
        elif part == "test session starts":
            text_session(report, known, line)
        elif part == "short test summary info":
            text_summary(report, known, line)
    return report


def text_session(report: Report, known: set[str], line: str) -> None:
    word = name = ""
    worker = re.fullmatch(r"(?:\[gw[0-9]+\] )?(?:\[ *[0-9]{1,3}%\] )?([A-Z]+) (.+)", line, re.DOTALL)
    plain = re.sub(r"(?<! ) +\[ *[0-9]{1,3}%\]\Z", "", line)
    tail = re.fullmatch(r"(.+) ([A-Z]+)(?: \([^()]*\))?", plain, re.DOTALL)
    if worker and line.startswith("["):
        word, name = worker[1], worker[2]
    elif tail:
        name, word = tail[1], tail[2]
    if word in TEXT_STATUS and is_node_id(name):
        known.add(name)
        report.add(canonical_id(name), word)


def text_summary(report: Report, known: set[str], line: str) -> None:
    match = TEXT_SUMMARY.fullmatch(line)
    if not match:
        if re.match(r"(?:PASSED|FAILED|ERROR|XFAIL|XPASS)(?![A-Za-z0-9_])", line):
            report.malformed += 1
        return
    word, name = match[1], summary_id(match[2], known)
    if is_node_id(name):
        report.add(canonical_id(name), "FAILED" if word.startswith("SUBFAIL") else word)
    elif word == "ERROR" and re.fullmatch(r"[^:]+\.py", name):
        report.unloaded.add(canonical_id(name))
    else:
        report.malformed += 1


def is_node_id(name: str) -> bool:
    scope = name.find("::")
    opening = name.find("[", max(scope, 0))
    if scope <= 0 or (opening >= 0 and not name.endswith("]")) or name[0] in JS_SPACE:
        return False
    path = name[scope + 2 :] if opening < 0 else name[scope + 2 : opening]
    return all(part and not re.search(r"[:[\]]", part) and not set(part) & set(JS_SPACE) for part in path.split("::"))


def summary_id(rest: str, known: set[str]) -> str:
    if rest in known:
        return rest
    depth, start, outside = 0, 0, -1
    at = rest.find(" - ")
    for _ in range(100):
        if at < 0:
            break
        depth += rest.count("[", start, at) - rest.count("]", start, at)
        start = at
        if rest[:at] in known:
            return rest[:at]
        if depth <= 0 and outside < 0:
            outside = at
        at = rest.find(" - ", at + 1)
    return rest if outside < 0 else rest[:outside]
