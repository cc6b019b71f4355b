"""Finds the test code in a Rust source file, as test-code.ts of @r2e/languages does; one corpus tests both."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

SUFFIX = ".rs"


class Piece(NamedTuple):
    start: int  # of its first attribute or doc comment
    end: int
    key: str


def pieces(text: str) -> list[Piece]:
    """The items at the top level that are compiled for tests alone."""
    if "test" not in text:
        return []
    found = [item for item in items_of(text, tokens_of(text)) if is_test_item(text, item)]
    return [Piece(item.start, item.end, item.key()) for item in found]


def end_of_items(text: str) -> int:
    """Where an item can be added: before attributes and documentation at the end that no whole item follows."""
    tokens = tokens_of(text)
    closed = {token.end for token in tokens if token.kind == "mark" and text[token.start] in ";}"}
    done = max((item.end for item in items_of(text, tokens) if item.end in closed), default=0)
    rest = Reader(text, [token for token in tokens if token.start >= done])
    at = 0
    while [rest.of(at), rest.of(at + 1), rest.of(at + 2)] == ["#", "!", "["]:
        at = rest.after(at + 2)
    hangs = at < len(rest.tokens) and (rest.tokens[at].kind == "doc" or rest.of(at) == "#")
    return rest.tokens[at].start if hangs else len(text)


def other_places(path: str) -> list[str]:
    """Where else a module of this path may have stood: a/b.rs and a/b/mod.rs are the same one."""
    if path.endswith("/mod.rs"):
        return [path[: -len("/mod.rs")] + SUFFIX]
    return [path[: -len(SUFFIX)] + "/mod.rs"]


# ---- tokens ----


class Token(NamedTuple):
    kind: str  # word, literal, doc, mark
    start: int
    end: int


TOKEN = re.compile(
    r"([ \t\n\v\f\r\ufeff]+)|(//[^\n]*)|(/\*)|[bc]?r(#*)\"|([bc]?\")|(b?')|((?:r#)?[A-Za-z0-9_\x80-\U0010ffff]+)|[\s\S]"
)
DOC_LINE = re.compile(r"///(?!/)")
DOC_BLOCK = re.compile(r"/\*\*(?![*/])")
BRACKET = re.compile(r"/\*|\*/")
STRING_END = re.compile(r'[^"\\]*(?:\\[\s\S][^"\\]*)*"')
TICK_END = re.compile(r"(?:\\[\s\S][^'\n]{0,16}|[^'\\\n])'")


def tokens_of(text: str) -> list[Token]:
    tokens = []
    start = 0
    while start < len(text):
        found = TOKEN.match(text, start)
        assert found
        blanks, line, block, hashes, quote, tick, word = found.groups()
        end = found.end()
        kind: Optional[str] = "mark" if word is None else "word"
        if blanks is not None:
            kind = None
        elif line is not None:
            kind = "doc" if DOC_LINE.match(line) else None
        elif block is not None:
            kind = "doc" if DOC_BLOCK.match(text, start, start + 4) else None
            end = comment_end(text, end)
        elif hashes is not None:
            kind = "literal"
            close = text.find('"' + hashes, end)
            end = len(text) if close < 0 else close + 1 + len(hashes)
        elif quote is not None:
            kind = "literal"
            close_quote = STRING_END.match(text, end)
            end = close_quote.end() if close_quote else len(text)
        elif tick is not None:
            close_tick = TICK_END.match(text, end)
            if close_tick:
                kind, end = "literal", close_tick.end()
        if kind:
            tokens.append(Token(kind, start, end))
        start = end
    return tokens


def comment_end(text: str, start: int) -> int:
    """Block comments nest."""
    depth = 1
    for bracket in BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == "/*" else -1
        if depth == 0:
            return bracket.end()
    return len(text)


# ---- items ----


class Item(NamedTuple):
    start: int
    end: int
    attributes: list[str]  # texts between "#[" and "]"
    kind: str
    name: str
    head: str  # words and marks up to the body
    body: Optional[tuple[int, int]]

    def key(self) -> str:
        return f"{self.kind} {self.name}" if self.kind in ("mod", "fn") else self.head


TO_SEMICOLON = ("use", "const", "static", "type", "let")
FUNCTION_WORDS = ("fn", "unsafe", "async", "extern")


class Reader:
    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.words = [text[start:end] for _, start, end in tokens]

    def of(self, at: int) -> str:
        return self.words[at] if at < len(self.words) else ""

    def is_mark(self, at: int) -> bool:
        return self.tokens[at].kind == "mark"

    def after(self, at: int) -> int:
        """The token after the bracket that closes the one at `at`."""
        depth = 0
        for i in range(at, len(self.tokens)):
            if not self.is_mark(i):
                continue
            if self.words[i] in "([{":
                depth += 1
            elif self.words[i] in ")]}":
                depth -= 1
                if depth <= 0:
                    return i + 1
        return len(self.tokens)

    def plain(self, start: int, end: int) -> str:
        return " ".join(self.words[i] for i in range(start, end) if self.tokens[i].kind != "doc")

    def item_end(self, head: int) -> int:
        keyword = head
        while self.of(keyword) in ("pub", "crate", "default"):
            keyword += 1
            if self.of(keyword) == "(":
                keyword = self.after(keyword)
        to_semicolon = self.of(keyword) in TO_SEMICOLON and self.of(keyword + 1) not in FUNCTION_WORDS
        i = head
        while i < len(self.tokens):
            word = self.words[i]
            if not self.is_mark(i):
                i += 1
            elif word == ";":
                return i + 1
            elif word in "([{":
                brace = word == "{" and not to_semicolon
                i = self.after(i)
                if brace and self.of(i) not in (">", ","):
                    return i
            elif word in ")]}":
                return i + 1
            else:
                i += 1
        return len(self.tokens)

    def body_open(self, head: int, end: int) -> Optional[int]:
        if self.words[end - 1] != "}":
            return None
        depth = 0
        for i in range(end - 1, head - 1, -1):
            if not self.is_mark(i):
                continue
            if self.words[i] in ")]}":
                depth += 1
            elif self.words[i] in "([{":
                depth -= 1
                if depth == 0:
                    return i
        return None


def items_of(text: str, tokens: list[Token]) -> list[Item]:
    reader = Reader(text, tokens)
    items: list[Item] = []
    at = 0
    while at < len(tokens):
        if reader.of(at) == "#" and reader.of(at + 1) == "!" and reader.of(at + 2) == "[":
            at = reader.after(at + 2)
            continue
        first = at
        attributes = []
        while at < len(tokens):
            if tokens[at].kind == "doc":
                at += 1
            elif reader.of(at) == "#" and reader.of(at + 1) == "[":
                end = reader.after(at + 1)
                attributes.append(reader.plain(at + 2, end - 1))
                at = end
            else:
                break
        head = at
        end = reader.item_end(head)
        if end > head:
            opening = reader.body_open(head, end)
            words = reader.plain(head, end if opening is None else opening)
            kind, name = kind_of(words)
            body = None if opening is None else (tokens[opening].end, tokens[end - 1].start)
            items.append(Item(tokens[first].start, tokens[end - 1].end, attributes, kind, name, words, body))
        at = max(end, first + 1)
    return items


CALL = re.compile(r"(?:[\w\x80-\U0010ffff#]+ : : )*([\w\x80-\U0010ffff#]+) !(?: |\Z)")
KEYWORD = re.compile(
    r"(?:^| )(fn|mod|use|impl|trait|struct|enum|union|macro_rules !|macro|type|static|const|extern)(?: (r#[^ ]+|[\w\x80-\U0010ffff]+))?"
)
QUALIFIER = re.compile(r'(?<![A-Za-z0-9_])(?:const|extern(?: "[^"]*")?)(?= (?:unsafe|async|extern|fn)(?![A-Za-z0-9_]))')


def kind_of(head: str) -> tuple[str, str]:
    call = CALL.match(head)
    if call and call[1] != "macro_rules":
        return "macro", call[1]
    found = KEYWORD.search(QUALIFIER.sub("", head))
    return (found[1].split(" ")[0], found[2] or "") if found else ("", "")


# ---- what is a test ----


TEST_ATTRIBUTE = re.compile(r"(?:[A-Za-z0-9_]+ : : )*(?:test|rstest|quickcheck|proptest|test_[A-Za-z0-9_]+|[A-Za-z0-9_]+_test)(?: \(|\Z)")


def is_test_function(item: Item) -> bool:
    return item.kind == "fn" and any(TEST_ATTRIBUTE.match(attribute) for attribute in item.attributes)


def is_test_item(text: str, item: Item) -> bool:
    if any(implies_test(attribute) for attribute in item.attributes) or is_test_function(item):
        return True
    if item.kind != "mod" or item.name not in ("test", "tests") or not item.body or item.head.split(" ")[0] == "pub":
        return False
    start, end = item.body
    inner = [Token(kind, start + a, start + b) for kind, a, b in tokens_of(text[start:end])]
    return any(is_test_function(inside) for inside in items_of(text, inner))


def implies_test(attribute: str) -> bool:
    """Whether it is a cfg that holds in test builds alone."""
    found = re.fullmatch(r"cfg \( (.*) \)", attribute, re.DOTALL)
    return bool(found) and len(found[1]) < 2000 and predicate(found[1].split(" "), 0)[0]


def predicate(words: list[str], at: int) -> tuple[bool, int]:
    """Whether the condition at a place implies `test`, and the place after it."""
    name = words[at] if at < len(words) else ""
    at += 1
    if at >= len(words) or words[at] != "(":
        return name == "test", at + 2 if at < len(words) and words[at] == "=" else at
    parts = []
    at += 1
    while at < len(words) and words[at] != ")":
        if words[at] == ",":
            at += 1
        else:
            part, at = predicate(words, at)
            parts.append(part)
    return (any(parts) if name == "all" else name == "any" and bool(parts) and all(parts)), at + 1
