"""What a parser of test reports finds, and what the parsers in formats/ share. Standard library only."""

from __future__ import annotations

import importlib
import json
import re
import sys
import threading
import unicodedata
import xml.parsers.expat
from typing import Any, Callable, Iterable, Iterator, Optional

STATUSES = ["ERROR", "FAILED", "XPASS", "SKIPPED", "XFAIL", "PASSED"]  # from bad to good


class Report:
    """Of an id that comes twice the worst status counts. Several tests of one id are told apart by ordinals, the worst
    first: whoever adds a passing test of a wanted name gains nothing."""

    def __init__(self) -> None:
        self.tests: dict[str, str] = {}
        self.later: dict[str, dict[int, str]] = {}  # tests behind the first of their id, by their ordinals
        self.unloaded: set[str] = set()
        self.malformed = 0
        self.error: Optional[str] = None

    def add(self, name: str, status: str, nth: int = 1) -> None:
        """`nth`: which of several tests of this id it is, from 1."""
        if nth == 1:
            self.tests[name] = worse(self.tests.get(name), status)
        else:
            others = self.later.setdefault(name, {})
            others[nth] = worse(others.get(nth), status)

    def add_next(self, name: str, status: str) -> None:
        """As add, but each call is another test."""
        if name not in self.tests:
            self.tests[name] = status
        else:
            others = self.later.setdefault(name, {})
            others[len(others) + 2] = status

    def complete(self) -> Report:
        """Names the tests of one id, the worst first, once all are there. An ordinal may be the name of another test: then
        it is one more of that name. Shorter names come first, so that each has all of its tests when its turn comes."""
        added: dict[str, str] = {}
        waiting: dict[int, set[str]] = {}
        for name in self.later:
            waiting.setdefault(len(name), set()).add(name)
        while waiting:
            for name in waiting.pop(min(waiting)):
                found = [self.tests.get(name), *self.later.get(name, {}).values(), added.get(name)]
                statuses = sorted((status for status in found if status), key=STATUSES.index)
                self.tests[name] = statuses[0]
                for at, status in enumerate(statuses[1:], 2):
                    ordinal = f"{name} #{at}"
                    if ordinal in self.tests or ordinal in self.later:
                        added[ordinal] = status
                        waiting.setdefault(len(ordinal), set()).add(ordinal)
                    else:
                        self.tests[ordinal] = status
        self.later = {}
        return self

    def merge(self, other: Report) -> None:
        for name, status in other.tests.items():
            self.add(name, status)
        self.unloaded |= other.unloaded
        self.malformed += other.malformed
        self.error = self.error or other.error

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"tests": self.tests, "unloaded": in_order(self.unloaded), "malformed": self.malformed}
        return {**out, "error": self.error} if self.error else out


def worse(known: Optional[str], status: str) -> str:
    return status if known is None or STATUSES.index(status) < STATUSES.index(known) else known


def ordinals() -> Callable[[str], int]:
    """Which of several equal ids one is, from 1."""
    seen: dict[str, int] = {}

    def nth(name: str) -> int:
        seen[name] = seen.get(name, 0) + 1
        return seen[name]

    return nth


def unreadable(error: str) -> Report:
    report = Report()
    report.malformed = 1
    report.error = error
    return report


def in_order(names: Iterable[str]) -> list[str]:
    """The order of JavaScript's sort: by UTF-16 unit."""
    return sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))


def canonical_id(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        text = re.sub("[\ud800-\udfff]", "\ufffd", text)
        text = unicodedata.normalize("NFC", text).replace("\r", "").rstrip(JS_SPACE)
        text = re.sub(r"[\x00-\x1f]", lambda match: f"\\x{ord(match[0]):02x}", text)
    return text.rstrip(" ")


def scoped_id(scope: str, titles: Iterable[str]) -> str:
    """`scope::outer > inner > title`."""
    return f"{scope}::{' > '.join(map(escape_title, titles))}"


def escape_title(title: str) -> str:
    return title.replace(" > ", " \\> ")


JS_SPACE = "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def parse_report(form: str, data: bytes, path: str = "") -> Report:
    """`path` is the report's own below the work tree, for formats that name a test by where its report lies."""
    return parser_of(form)(data.decode("utf-8", "replace"), path)


def parser_of(form: str) -> Callable[[str, str], Report]:
    """Called once before any tested code runs, so that the parser is the shipped one."""
    parse: Callable[[str, str], Report] = importlib.import_module(f"formats.{form.replace('-', '_')}").parse
    return lambda text, path: parse(text, path).complete()


# XML


MAX_DEPTH = 100
NAME = "[A-Za-z_:][A-Za-z0-9_:.-]*"  # all that a runner writes; parsers differ in which others they take


def visit_xml(
    text: str,
    root: str,
    open_tag: Callable[[str, dict[str, str]], None],
    close_tag: Callable[[str], None],
    text_part: Optional[Callable[[str], None]] = None,
) -> Optional[str]:
    """Shows the elements of a document; answers why it cannot be read, or None. Text before `root` is cut."""
    start = re.search(root, text)
    if not start:
        return "the report holds no XML document" if text.strip() else "the report is empty"
    depth = 0
    names: set[str] = set()

    def check(name: str) -> None:
        if not re.fullmatch(NAME, name):
            raise ValueError(f"the name {name[:40]!r}")
        names.add(name)

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError("the XML is nested too deeply")
        for word in (name, *attributes):
            if word not in names:
                check(word)
        open_tag(name, attributes)

    def closed(name: str) -> None:
        nonlocal depth
        depth -= 1
        close_tag(name)

    def doctype(*_: object) -> None:
        raise ValueError("the XML has a document type")

    def second_declaration(*_: object) -> None:
        raise ValueError("there is a second declaration")

    begin = start.start() + declaration(text, start.start())
    document = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text[begin:])
    parser = xml.parsers.expat.ParserCreate("utf-8")
    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.StartDoctypeDeclHandler = doctype
    parser.XmlDeclHandler = second_declaration
    parser.ProcessingInstructionHandler = lambda target, _: check(target)
    if text_part:
        parser.CharacterDataHandler = text_part
    try:
        parser.Parse(document.encode("utf-8", "replace"), True)
    except (xml.parsers.expat.ExpatError, ValueError) as error:
        return f"the XML is not well-formed: {error}"
    return None


def declaration(text: str, start: int) -> int:
    """Length of an XML declaration: its version and encoding say nothing about text that is decoded already."""
    end = text.find("?>", start) if text.startswith("<?xml", start) else -1
    return end + 2 - start if end >= 0 else 0


# JSON


def json_lines(text: str, wanted: Callable[[str], bool]) -> Iterator[dict[str, Any]]:
    """An object per line; an empty one for a line that is none."""
    for line in text.split("\n"):
        line = line.strip(JS_SPACE)
        if line and wanted(line):
            yield parse_object(line)


def parse_object(line: str) -> dict[str, Any]:
    if not line.startswith("{"):
        return {}
    try:
        return load_json(line)
    except (ValueError, RecursionError):
        return {}


def load_json(text: str) -> Any:
    """Also what is nested deeply, as a value that a test compares may be printed. @raise ValueError, RecursionError"""
    try:
        return json.loads(text, parse_int=float, parse_constant=no_constant)
    except RecursionError:
        return in_deep_thread(lambda: json.loads(text, parse_int=float, parse_constant=no_constant))


DEPTH = 20_000


def in_deep_thread(work: Callable[[], Any]) -> Any:
    """Newer Pythons bound the depth of C code on their own, at several thousand levels."""
    answer: list[Any] = []

    def run() -> None:
        try:
            answer.append(work())
        except (ValueError, RecursionError) as error:
            answer.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(DEPTH * 4096)
    sys.setrecursionlimit(DEPTH)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    if isinstance(answer[0], Exception):
        raise answer[0]
    return answer[0]


def no_constant(name: str) -> None:
    raise ValueError(name)


def text_of(value: dict[str, Any], key: str) -> Optional[str]:
    found = value.get(key)
    return found if isinstance(found, str) else None
