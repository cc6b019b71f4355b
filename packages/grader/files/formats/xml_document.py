"""Walking the elements of an XML report."""

from __future__ import annotations

import re
import xml.parsers.expat
from typing import Callable, Optional

MAX_DEPTH = 100


def read_xml(
    text: str, root: str, opened: Callable[[str, dict[str, str]], None], closed: Callable[[str], None]
) -> Optional[str]:
    """Why the document cannot be read, if so. Text before it is cut; `root` begins it where it has no declaration."""
    start = re.search(rf"<\?xml|{root}", text)
    if not start:
        return "the report holds no XML document" if text.strip() else "the report is empty"
    depth = 0

    def open_tag(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError("the XML is nested too deeply")
        opened(name, attributes)

    def close_tag(name: str) -> None:
        nonlocal depth
        depth -= 1
        closed(name)

    def doctype(*_: object) -> None:
        raise ValueError("the XML has a document type")

    document = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text[start.start() :])
    parser = xml.parsers.expat.ParserCreate("utf-8")
    parser.StartElementHandler = open_tag
    parser.EndElementHandler = close_tag
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(document.encode("utf-8", "replace"), True)
    except (xml.parsers.expat.ExpatError, ValueError) as error:
        return f"the XML is not well-formed: {error}"
    return None
