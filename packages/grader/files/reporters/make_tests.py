"""Builds a project of autotools or a plain Makefile in a copy and runs its tests (format events-jsonl):

make_tests.py --out FILE --source FOLDER --build FOLDER --target check|test [--test ID] [-- configure options]

Tests of automake by their .trs files, check::<log without ending>, and what a test reports of itself
check::<log> > <case>. Any other Makefile is one test by its exit code, make::<target>: the last resort.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Optional

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from native_run import EVERYTHING, Events, fresh_folder, inside, jobs, output_of, read, run  # noqa: E402
from report import Report, canonical_id  # noqa: E402

RESULTS = {"PASS": "PASSED", "FAIL": "FAILED", "SKIP": "SKIPPED", "XFAIL": "XFAIL", "XPASS": "XPASS", "ERROR": "ERROR"}
PRINT = "r2e-print:\n\t@printf '%s\\n' $(TEST_LOGS)\n"
TARGET_ENVIRONMENT = {"VERBOSE": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--out", "--source", "--build", "--target"):
        parser.add_argument(name, required=True)
    parser.add_argument("--test")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    events = Events(options.out)
    build = os.path.join(fresh_folder(options.build), "tree")
    copy_sources(options.source, build)
    if not configure(build, options.words):
        events.unload(EVERYTHING)
        events.finish()
    many = ["-k", f"-j{jobs()}"]
    run(["make", *many], build)
    folders = automake_folders(build)
    if folders:
        # Test programs first, as make would else run nothing in a folder where one of them fails.
        run(["make", *many, "check", "TESTS="], build)
        for folder in folders:
            run_folder(events, build, folder, options.test)
    else:
        run_plain(events, build, options.target)
    events.finish()


def copy_sources(source: str, build: str) -> None:
    """A copy in which nothing that was built before passes for up to date: make goes by dates, which anyone can set."""
    shutil.copytree(source, build, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    listed = output_of(["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "ls-files", "-z"], source)
    tracked = set(listed.split("\0"))
    moment = int(time.time()) - 10
    for folder, below, names in os.walk(build, topdown=False):
        for path in (os.path.join(folder, name) for name in [*below, *names]):
            known = os.path.relpath(path, build) in tracked
            if not known and (is_binary(path) or leads_out(path, build)):
                os.unlink(path)
            else:
                os.utime(path, (moment - age(path, known),) * 2, follow_symlinks=False)


def age(path: str, tracked: bool) -> int:
    """Seconds, so that what may be a product is older than what it may be made from. What git knows has one date, as a
    project may keep generated files whose tools are not there."""
    if is_binary(path):
        return 3
    return 0 if tracked else 2 if os.access(path, os.X_OK) else 1


def is_binary(path: str) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(8).startswith((b"\x7fELF", b"!<arch>\n"))


def leads_out(path: str, build: str) -> bool:
    return os.path.islink(path) and inside(os.path.realpath(path), build) is None


def configure(build: str, words: list[str]) -> bool:
    """A project without autotools has nothing to configure."""
    has = lambda name: os.path.exists(os.path.join(build, name))  # noqa: E731
    if not has("configure") and (has("configure.ac") or has("configure.in")):
        made = run(["autoreconf", "-fi"], build) == 0
        scripts = [name for name in ("autogen.sh", "bootstrap.sh", "bootstrap") if has(name)]
        if not made and not any(run(["sh", f"./{name}"], build, env={"NOCONFIGURE": "1"}) == 0 for name in scripts):
            return False
    return not has("configure") or run(["sh", "./configure", *words], build) == 0


def automake_folders(build: str) -> list[str]:
    found = []
    for folder, below, files in os.walk(build):
        below.sort()
        if "Makefile" in files and re.search("(?m)^TEST_LOGS *=", read(os.path.join(folder, "Makefile"))):
            found.append(folder)
    return found


def run_folder(events: Events, build: str, folder: str, only: Optional[str]) -> None:
    script = os.path.join(build, "r2e-print.mk")
    Path(script).write_text(PRINT)
    logs = output_of(["make", "-s", "-f", "Makefile", "-f", script, "r2e-print"], folder).split()
    place = inside(folder, build) or "."
    names = {log: f"check::{os.path.normpath(os.path.join(place, re.sub('[.]log$', '', log)))}" for log in logs}
    wanted = [log for log in logs if only in (None, names[log]) or str(only).startswith(f"{names[log]} > ")] or logs
    for log in wanted:
        for path in (log, trs_of(log)):
            Path(folder, path).unlink(missing_ok=True)
    if wanted:
        run(["make", "-k", *wanted], folder, env=TARGET_ENVIRONMENT)
    for log in wanted:
        add_results(events, names[log], read(os.path.join(folder, trs_of(log))))


def trs_of(log: str) -> str:
    return re.sub("[.]log$", "", log) + ".trs"


def add_results(events: Events, name: str, trs: str) -> None:
    """One result is the test's own; of a TAP test each line is one. No result: the program was not built, or died."""
    results = re.findall(r"(?m)^:test-result: *([A-Z]+)[ \t]*(.*)$", trs)
    report = Report()
    for word, text in results:
        case = re.sub(r"^[0-9]+[ \t]*(?:-[ \t]*)?(?=.)", "", text.split("#")[0].strip())
        own = f"{name} > {case}" if case and len(results) > 1 else name
        if word in RESULTS:
            report.add_next(canonical_id(own), RESULTS[word])
    if not report.tests:
        report.add(name, "ERROR")
    events.add(report.complete())


def run_plain(events: Events, build: str, target: str) -> None:
    code = run(["make", target], build)
    events.end(f"make::{target}", "PASSED" if code == 0 else "FAILED")


if __name__ == "__main__":
    main()
