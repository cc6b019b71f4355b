"""TAP 13 or 14 with a subtest per file at its first level, as tap_files.mjs prints it: ids are `<file>::<subtest> > <title>`."""

from __future__ import annotations

import re
from typing import Optional

from report import JS_SPACE, Report, canonical_id, escape_title, unreadable

MAX_DEPTH = 32
MAX_POINTS = 1_000_000
MOST_ID_UNITS = 64 * 1024 * 1024
DIRECTIVE = re.compile(r"(?:^| )# *(?:([Ss][Kk][Ii][Pp])|[Tt][Oo][Dd][Oo])")
SUITE = "type: 'suite'"
TIME = re.compile(r" # time=[0-9.]+m?s\Z")
POINT = re.compile(r"(?:not )?ok(?: |\Z)")
PLAN = re.compile(r"1\.\.([0-9]{1,9})(?: |\Z)")
NUMBER = re.compile(r" *(?:[0-9]+(?: +|\Z))?(?:- |-\Z)?")


class Level:
    """The points of one document, or of one subtest."""

    __slots__ = ("points", "count", "plan", "skipped", "bailed_out", "announced", "has_subtests", "heading")

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.count = 0
        self.plan: Optional[int] = None
        self.skipped = self.bailed_out = False
        self.announced: Optional[str] = None  # title of a subtest that has not ended
        self.has_subtests = False  # else a comment is the heading of what follows, as tape writes it
        self.heading = ""


class Point:
    __slots__ = ("path", "status", "level", "is_suite")

    def __init__(self, path: str, status: Optional[str], level: Optional[Level] = None) -> None:
        self.path = path
        self.status = status  # None: announced and never ended
        self.level = level
        self.is_suite = False  # an empty or skipped suite of node:test


def parse(text: str, _path: str = "") -> Report:
    document = read_tap(text)
    if document is None:
        return unreadable("the report lists too many tests")
    report = Report()
    units = 0

    def tests_below(level: Level, prefix: str, file: Optional[Point] = None) -> int:
        nonlocal units
        failures = 0
        for point in [] if level.plan == 0 else level.points:
            if file and is_itself(point, file):
                continue
            name = prefix + point.path
            below = tests_below(point.level, f"{name} > ") if point.level else 0
            failures += below
            is_test = not point.is_suite if point.level is None else below == 0 and point.status == "FAILED"
            if not is_test or point.status is None:
                continue
            failures += point.status == "FAILED"
            units += len(name.encode("utf-16-le", "surrogatepass")) // 2
            if units <= MOST_ID_UNITS:
                report.add_next(canonical_id(name), point.status)
        return failures

    for file in document.points:
        scope = canonical_id(file.path)
        failures = tests_below(file.level, f"{scope}::", file) if file.level else 0
        if units > MOST_ID_UNITS:
            return unreadable("the titles are too long")
        if file.status == "SKIPPED" or (file.level and file.level.skipped):
            report.add(scope, "SKIPPED")
        elif not is_whole(file) or (file.status == "FAILED" and failures == 0) or fails_itself(file):
            report.unloaded.add(scope)
    return report


def is_itself(point: Point, file: Point) -> bool:
    """A file that ends early is a point of its own name for node:test, and no test."""
    return point.path == file.path and point.level is None


def fails_itself(file: Point) -> bool:
    return file.level is not None and any(is_itself(point, file) for point in file.level.points)


def is_whole(point: Point) -> bool:
    """Whether a file came to its end, and all below it."""
    level = point.level
    if point.status is None or level is None:
        return point.status is not None
    return not level.bailed_out and level.plan == level.count and all(map(is_whole, level.points))


def read_tap(text: str) -> Optional[Level]:
    levels = [Level()]
    diagnostics = -1
    points = 0
    for line in text.split("\n"):
        if line.endswith("\r"):
            line = line[:-1]
        words = line.lstrip(" ")
        indent = len(line) - len(words)
        if diagnostics >= 0:
            if indent == diagnostics and words == "...":
                diagnostics = -1
            elif indent == diagnostics and words == SUITE:
                levels[-1].points[-1].is_suite = True
        elif words == "---" and indent == 4 * (len(levels) - 1) + 2 and levels[-1].count > 0:
            diagnostics = indent
        elif indent % 4 == 0 and words and read_line(levels, indent // 4, words):
            points += 1
            if points > MAX_POINTS:
                return None
    collapse(levels, 0, orphan=True)
    return levels[0]


def read_line(levels: list[Level], depth: int, words: str) -> bool:
    """Whether the line is a point."""
    kind = kind_of(words)
    if kind is None or depth >= MAX_DEPTH or depth > len(levels):
        return False
    if depth == len(levels):
        if levels[depth - 1].announced is None:
            return False
        levels.append(Level())
    level = levels[depth]
    if kind == "point":
        below = collapse(levels, depth)
        level.points.append(point_of(level, words, below))
        level.count += 1
        level.announced = None
    elif kind == "subtest":
        collapse(levels, depth, orphan=True)
        level.announced = unescape(words[len("# Subtest: ") :])
        level.has_subtests = True
        level.heading = ""
    elif kind == "plan":
        collapse(levels, depth, orphan=True)
        found = PLAN.match(words)
        level.plan = int(found[1]) if found else None
        directive = DIRECTIVE.search(words)
        level.skipped = level.plan == 0 and bool(directive and directive[1])
    elif kind == "bail":
        for each in levels:
            each.bailed_out = True
    elif not level.has_subtests and depth == len(levels) - 1:
        read_heading(level, words[2:])
    return kind in ("point", "heading")


def kind_of(words: str) -> Optional[str]:
    if POINT.match(words):
        return "point"
    if words.startswith("# Subtest: "):
        return "subtest"
    if PLAN.match(words):
        return "plan"
    if words.startswith("Bail out!"):
        return "bail"
    return "heading" if len(words) > 2 and words.startswith("# ") and words[2] != " " else None


def read_heading(level: Level, title: str) -> None:
    """tape names a skipped test in its heading alone."""
    if title.startswith("SKIP "):
        level.points.append(Point(escape_title(title[5:]), "SKIPPED"))
    else:
        level.heading = escape_title(title[5:] if title.startswith("TODO ") else title) + " > "


def point_of(level: Level, words: str, below: Optional[Level]) -> Point:
    failed = words.startswith("not ")
    rest = TIME.sub("", words[6 if failed else 2 :], count=1)
    directive = DIRECTIVE.search(rest)
    if directive:
        rest = rest[: directive.start()]
    number = NUMBER.match(rest)
    path = level.heading + escape_title(unescape(rest[number.end() if number else 0 :]).strip(JS_SPACE) or "(unnamed)")
    if directive:
        status = "SKIPPED" if directive[1] else "XFAIL" if failed else "XPASS"
    else:
        status = "FAILED" if failed else "PASSED"
    return Point(path, status, below)


def collapse(levels: list[Level], depth: int, orphan: bool = False) -> Optional[Level]:
    """Ends what is open below a depth. The level right below belongs to the point that follows, unless `orphan`."""
    while len(levels) > depth + 1:
        level = levels.pop()
        above = levels[-1]
        if len(levels) == depth + 1 and not orphan:
            return level
        title = "(unnamed)" if above.announced is None else above.announced
        above.points.append(Point(escape_title(title), None, level))
        above.announced = None
    return None


def unescape(text: str) -> str:
    return re.sub(r"\\([#\\])", r"\1", text)
