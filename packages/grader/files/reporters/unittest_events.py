"""Runs unittest and writes one JSON line per event (format events-jsonl): unittest_events.py --out FILE [unittest arguments].

Django: manage.py test --testrunner unittest_events.DjangoRunner, with this folder on PYTHONPATH and the file named by
R2E_EVENTS.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unittest

STATUSES = ["ERROR", "FAILED", "XPASS", "SKIPPED", "XFAIL", "PASSED"]  # from bad to good
FIXTURE = re.compile(r"(setUpClass|tearDownClass|setUpModule|tearDownModule) \((.+)\)")
BROKEN = "unittest.loader._FailedTest."
SKIPPED = "unittest.loader.ModuleSkipped."


class Events:
    """Each event is one write to the end of the file, so that a fork or a crash garbles nothing."""

    def __init__(self, path: str) -> None:
        self.handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def write(self, **event: str) -> None:
        os.write(self.handle, (json.dumps(event) + "\n").encode())


def result_class(events: Events, base: type) -> type:
    class EventResult(base):  # type: ignore[misc, valid-type]
        """Subtests fold into their test; a fixture of a class or module stands for its scope."""

        def startTest(self, test):
            super().startTest(test)
            self.statuses = []
            if not test.id().startswith((BROKEN, SKIPPED)):
                events.write(event="start", id=test.id())

        def stopTest(self, test):
            super().stopTest(test)
            name = test.id()
            if name.startswith(BROKEN):
                events.write(event="unloaded", scope=name[len(BROKEN) :])
            elif name.startswith(SKIPPED):
                events.write(event="end", id=name[len(SKIPPED) :], status="SKIPPED")
            else:
                worst = min(self.statuses, key=STATUSES.index, default="ERROR")
                events.write(event="end", id=name, status=worst)

        def note(self, test, status):
            fixture = FIXTURE.fullmatch(test.id())
            if not fixture:
                self.statuses.append(status)
            elif status == "SKIPPED":
                events.write(event="end", id=fixture[2], status=status)
            else:
                events.write(event="unloaded", scope=fixture[2])

        def addSuccess(self, test):
            super().addSuccess(test)
            self.note(test, "PASSED")

        def addError(self, test, err):
            super().addError(test, err)
            self.note(test, "ERROR")

        def addFailure(self, test, err):
            super().addFailure(test, err)
            self.note(test, "FAILED")

        def addSkip(self, test, reason):
            super().addSkip(test, reason)
            self.note(test, "SKIPPED")

        def addExpectedFailure(self, test, err):
            super().addExpectedFailure(test, err)
            self.note(test, "XFAIL")

        def addUnexpectedSuccess(self, test):
            super().addUnexpectedSuccess(test)
            self.note(test, "XPASS")

        def addSubTest(self, test, subtest, err):
            super().addSubTest(test, subtest, err)
            if err is not None:
                self.note(test, "FAILED" if issubclass(err[0], test.failureException) else "ERROR")

    return EventResult


def modules_of(suite) -> set:
    """Modules of the tests, collected without recursion: suites may be nested deeply."""
    found, waiting = set(), [suite]
    while waiting:
        item = waiting.pop()
        if isinstance(item, unittest.TestSuite):
            waiting.extend(item)
        elif item is not None and not item.id().startswith((BROKEN, SKIPPED)):
            found.add(type(item).__module__)
    return found


def announce(events: Events, suite) -> None:
    for module in sorted(modules_of(suite)):
        events.write(event="module", scope=module)


def main(arguments: list) -> None:
    if len(arguments) < 2 or arguments[0] != "--out":
        sys.exit(__doc__)
    events = Events(arguments[1])
    sys.path[0] = os.getcwd()  # as "python -m unittest" does

    class Runner(unittest.TextTestRunner):
        resultclass = result_class(events, unittest.TextTestResult)

        def run(self, test):
            announce(events, test)
            result = super().run(test)
            events.write(event="done")
            return result

    unittest.main(module=None, argv=["python -m unittest", *arguments[2:]], testRunner=Runner)


def __getattr__(name: str):
    """Django is imported only where the project has it."""
    if name != "DjangoRunner":
        raise AttributeError(name)
    from django.test.runner import DiscoverRunner

    events = Events(os.environ["R2E_EVENTS"])

    class DjangoRunner(DiscoverRunner):
        def get_resultclass(self):
            return result_class(events, super().get_resultclass() or unittest.TextTestResult)

        def run_suite(self, suite, **kwargs):
            announce(events, suite)
            result = super().run_suite(suite, **kwargs)
            events.write(event="done")
            return result

    return DjangoRunner


if __name__ == "__main__":
    main(sys.argv[1:])
