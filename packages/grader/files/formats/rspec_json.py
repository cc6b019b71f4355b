"""JSON as RSpec writes it: to ids of the file that runs an example and its full description."""

from __future__ import annotations

import re
from typing import Any, Optional

from report import JS_SPACE, Report, canonical_id, parse_object, text_of, unreadable


STATUS = {"passed": "PASSED", "failed": "FAILED", "pending": "SKIPPED"}
WHOLE_RUN = "rspec"
LOADING = re.compile(rf"[{JS_SPACE}]{{0,100}}(?:An error occurred while loading |While loading )")
BEHIND = (" - Did you mean?", " a `raise SyntaxError`", " an `exit` / `raise SystemExit`")


def parse(text: str, _path: str = "") -> Report:
    trimmed = text.strip(JS_SPACE)
    if not trimmed:
        return unreadable("the report is empty")
    value = parse_object(trimmed)
    examples = value.get("examples")
    if not isinstance(examples, list):
        return unreadable("the report is no JSON object that lists examples")
    report = Report()
    report.unloaded = unloaded_scopes(value)
    for item in examples:
        example = read_example(item)
        if not example:
            report.malformed += 1
        elif canonical_id(example[0]) not in report.unloaded:
            file, description, status = example
            report.add_next(canonical_id(f"{file}::{description}"), status)
    return report


def read_example(item: Any) -> Optional[tuple[str, str, str]]:
    if not isinstance(item, dict):
        return None
    place, description, status = (text_of(item, key) or "" for key in ("id", "full_description", "status"))
    file = plain_path(place[: max(0, place.rfind("["))])
    if not file or not description or status not in STATUS:
        return None
    return file, without_addresses(description), STATUS[status]


def unloaded_scopes(value: dict[str, Any]) -> set[str]:
    """Files that did not load, by what RSpec says of them; another error outside of examples stands for the whole run."""
    summary, messages = value.get("summary"), value.get("messages")
    count = summary.get("errors_outside_of_examples_count") if isinstance(summary, dict) else None
    if isinstance(count, bool) or not isinstance(count, float) or count <= 0:
        return set()
    texts = messages if isinstance(messages, list) else []
    files = [file for file in (loaded_file(text) for text in texts if isinstance(text, str)) if file]
    return {canonical_id(file) for file in files} | ({WHOLE_RUN} if len(files) < count else set())


def loaded_file(message: str) -> str:
    before = LOADING.match(message)
    if not before:
        return ""
    line = message[before.end() :].partition("\n")[0]
    for text in BEHIND:
        line = line.partition(text)[0]
    return plain_path(line[:-1] if line.endswith(".") else line)


def plain_path(path: str) -> str:
    return path[2:] if path.startswith("./") else path


def without_addresses(description: str) -> str:
    """An example without a title is described by its matcher, which may show an object."""
    return re.sub(r":0x[0-9a-f]{8,16}(?![0-9a-f])", ":0x", description)
