"""The JSON of jest, and of vitest's reporter of the same shape: ids are `<file>::<describe> > <title>`."""

from __future__ import annotations

from typing import Any, Optional, Union

from report import JS_SPACE, Report, canonical_id, load_json, ordinals, scoped_id, unreadable

STATUSES = {
    "passed": "PASSED",
    "failed": "FAILED",
    "pending": "SKIPPED",
    "skipped": "SKIPPED",
    "todo": "SKIPPED",
    "disabled": "SKIPPED",
}
WORK_TREE = "/app/"


def parse(text: str, _path: str = "") -> Report:
    files = files_of(text)
    if isinstance(files, str):
        return unreadable(files)
    report = Report()
    scopes: set[str] = set()
    for file in files:
        name, results = (file.get("name"), file.get("assertionResults")) if isinstance(file, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(results, list):
            report.malformed += 1
            continue
        scope = name[len(WORK_TREE) :] if name.startswith(WORK_TREE) else name
        # Another project may run the file too: its first test of a name is the same as the first here.
        nth = ordinals() if scope in scopes else None
        scopes.add(scope)
        failures = 0
        for result in results:
            status = status_of(result)
            if status is None:
                report.malformed += 1
                continue
            name = canonical_id(scoped_id(scope, titles_of(result)))
            if nth:
                report.add(name, status, nth(name))
            else:
                report.add_next(name, status)
            failures += status == "FAILED"
        if file.get("status") == "failed" and failures == 0:
            report.unloaded.add(canonical_id(scope))
    return report


def files_of(text: str) -> Union[list[Any], str]:
    if not text.strip(JS_SPACE):
        return "the report is empty"
    try:
        value = load_json(text)
    except (ValueError, RecursionError):
        return "the report is no JSON"
    found = value.get("testResults") if isinstance(value, dict) else None
    return found if isinstance(found, list) else "the JSON holds no testResults"


def status_of(result: Any) -> Optional[str]:
    """A test that passed at a later attempt failed; one that must fail and does so is expected to."""
    if not isinstance(result, dict) or not isinstance(result.get("title"), str):
        return None
    word = result.get("status")
    status = STATUSES.get(word) if isinstance(word, str) else None
    if status != "PASSED":
        return status
    attempts = result.get("invocations")
    if isinstance(attempts, float) and attempts > 1:
        return "FAILED"
    return "XFAIL" if result.get("failing") is True else "PASSED"


def titles_of(result: dict[str, Any]) -> list[str]:
    above = result.get("ancestorTitles")
    return [*(level for level in (above if isinstance(above, list) else []) if isinstance(level, str)), result["title"]]
