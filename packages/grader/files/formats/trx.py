"""Visual Studio test results as `dotnet test` writes them, found at <project>/TestResults/*.trx."""

from __future__ import annotations

import re

from report import Report, canonical_id, unreadable, visit_xml

# Everything else (Error, Timeout, Aborted) is an error of the run.
OUTCOMES = {"Passed": "PASSED", "Failed": "FAILED", "NotExecuted": "SKIPPED", "Inconclusive": "SKIPPED"}

# What the logger writes of a test host that died: the run itself it calls failed, as with any failed test.
ABORTED = "test run was aborted|test host process crashed"
MOST_SAID = 4096


def parse(text: str, path: str = "") -> Report:
    results: list[dict[str, str]] = []
    methods: dict[str, dict[str, str]] = {}
    definition = ""
    said: list[str] = []

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal definition
        if name == "UnitTestResult":
            results.append(attributes)
        elif name == "UnitTest":
            definition = attributes.get("id", "")
        elif name == "TestMethod":
            methods[definition] = attributes
        elif name == "RunInfo":
            said.append("")

    def spoken(part: str) -> None:
        if said and len(said[-1]) < MOST_SAID:
            said[-1] = (said[-1] + part)[:MOST_SAID]

    failure = visit_xml(text, r"<\?xml|<TestRun[ \t\r\n>/]", opened, lambda name: None, spoken)
    if failure is not None:
        return unreadable(failure)
    at = f"/{path}".rfind("/TestResults/")
    project = "." if at <= 0 else path[: at - 1]
    report = Report()
    add_results(report, project, results, methods)
    if any(re.search(ABORTED, message, re.IGNORECASE) for message in said):
        report.unloaded.add(canonical_id(project))
    return report


def add_results(report: Report, project: str, results: list[dict[str, str]], methods: dict[str, dict[str, str]]) -> None:
    for result in results:
        method = methods.get(result.get("testId", ""), {})
        class_name, name = method.get("className", ""), method.get("name", "")
        if result.get("resultType") == "DataDrivenTest":
            continue  # its data rows are results of their own
        if not class_name or not name:
            report.malformed += 1
            continue
        kind = re.match(r"[^,[]*", class_name)
        assert kind is not None
        short = name[len(kind[0]) + 1 :] if name.startswith(f"{kind[0]}.") else name
        title = result.get("testName", "")
        row = title[title.index("(") :] if "(" in title and title.endswith(")") else ""
        test = f"{project}::{kind[0]}.{short.split('(')[0]}{row}"
        report.add_next(canonical_id(test), OUTCOMES.get(result.get("outcome", ""), "ERROR"))
