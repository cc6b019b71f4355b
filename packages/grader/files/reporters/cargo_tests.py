"""Runs the tests of cargo packages and writes one JSON line per event (format libtest-json).

cargo_tests.py --out FILE [--manifest-path FILE] [--limit SECONDS] [--file PATH]... [--id ID] -- CARGO test [OPTIONS]

Every target is built first, each for itself, so that one that does not compile takes no other along. Then each test
program runs alone, one test at a time, or each test in a process of its own where CARGO says nextest; doc tests come last,
through cargo with this file in rustdoc's place. Of OPTIONS those that choose and build targets are kept. Exit code 2 says
that cargo could not even read the packages, or that there are none of those meant.

The stream holds {"type": "target", "name": "crate/test:it"} before what the program said in libtest's own JSON, {"type":
"exit", "code": 0} after it, {"type": "unbuilt", "name": …} for a target that did not compile, and {"type": "done"}. What
tested code prints beside it goes to the log.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Iterator, Optional

LIBTEST = ["--format", "json", "-Z", "unstable-options"]
ONE_BY_ONE = "--test-threads=1"
FAULT = 2
# libtest wants to see the variable; to the compiler it names the one crate that may use unstable features: none.
UNSTABLE = {"RUSTC_BOOTSTRAP": "r2e_no_such_crate"}
NEXTEST = {"NEXTEST": "1", "NEXTEST_EXECUTION_MODE": "process-per-test"}
LIBRARIES = ("lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro")
OWN_TARGETS = ("--lib", "--bin", "--bins", "--test", "--tests", "--example", "--examples", "--bench", "--benches")
OWN_TARGETS += ("--all-targets",)


class Stream:
    """Each event is one write to the end of the file."""

    def __init__(self, path: str) -> None:
        self.handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def write(self, *events: dict[str, Any]) -> None:
        os.write(self.handle, "".join(json.dumps(event) + "\n" for event in events).encode())

    def program(self, name: str, argv: list[str], limit: float, **options: Any) -> int:
        """Runs one program of libtest's."""
        self.write({"type": "target", "name": name})
        code, events = heard(name, argv, limit, **options)
        self.write(*events, {"type": "exit", "code": code})
        return code

    def each_alone(self, name: str, argv: list[str], tests: list[str], limit: float, **options: Any) -> int:
        """Runs each test of a program in a process of its own, as nextest does: one that takes its process down is a
        failure of itself alone. The limit is that of all together; where it ends, so does the program."""
        self.write({"type": "target", "name": name}, {"type": "suite", "event": "started", "test_count": len(tests)})
        end = time.monotonic() + limit
        failed = False
        for test in tests:
            if time.monotonic() >= end:
                self.write({"type": "exit", "code": -signal.SIGKILL})
                return -signal.SIGKILL
            code, events = heard(f"{name}::{test}", [*argv, "--exact", test], end - time.monotonic(), **options)
            event = outcome(test, code, events)
            failed = failed or event == "failed"
            self.write(*({"type": "test", "event": each, "name": test} for each in ("started", event)))
        code = 101 if failed else 0
        self.write({"type": "suite", "event": "failed" if failed else "ok"}, {"type": "exit", "code": code})
        return code


def outcome(test: str, code: int, events: list[dict[str, Any]]) -> str:
    """How a test ended that ran alone; a process that left before its end, or with another code than its result has,
    failed. Events of other names come from tested code."""
    own = (test, f"{test} - should panic")
    ends = [event.get("event") for event in events if event.get("name") in own]
    finished = bool(events) and events[-1]["type"] == "suite" and events[-1].get("event") in ("ok", "failed")
    if not finished or "failed" in ends or code != 0:
        return "failed"
    return next((end for end in ("ignored", "ok") if end in ends), "failed")


def heard(name: str, argv: list[str], limit: float, **options: Any) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and events of a program; what else it said goes to the log."""
    code, lines = said(argv, limit, **options)
    events, noise = [], []
    for line in lines:
        event, rest = libtest_event(line)
        if event:
            events.append(event)
        if rest.strip():
            noise.append(rest)
    print(f"-- {name}: exit code {code}", *noise, sep="\n", flush=True)
    return code, events


def said(argv: list[str], limit: float, **options: Any) -> tuple[int, list[str]]:
    """Exit code and output of a program. It goes through a file, so that no child of a test can hold it up."""
    with tempfile.TemporaryFile() as output:
        code = run_limited(argv, limit, stdout=output, **options)
        output.seek(0)
        return code, output.read().decode("utf-8", "replace").split("\n")


def libtest_event(line: str) -> tuple[Optional[dict[str, Any]], str]:
    """The event that ends a line, without captured output, and what a test printed before it."""
    at = line.rfind('{ "type": "')
    if at < 0:
        return None, line
    try:
        value = json.loads(line[at:])
    except (ValueError, RecursionError):
        return None, line
    if value.get("type") not in ("test", "suite"):
        return None, line[:at]
    event = {key: value[key] for key in ("type", "event", "name") if isinstance(value.get(key), str)}
    count = value.get("test_count")
    return {**event, "test_count": count} if type(count) is int else event, line[:at]


def run_limited(argv: list[str], limit: float, **options: Any) -> int:
    try:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    except OSError as error:
        print(f"cannot start {argv[0]}: {error.strerror}", flush=True)
        return 127
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        print(f"{argv[0]} ran longer than {limit:.0f} s", flush=True)
        return -signal.SIGKILL


# ---- what there is to run ----


class Target:
    def __init__(self, package: dict[str, Any], target: dict[str, Any]) -> None:
        self.package = package
        self.source = target["src_path"]
        kind = target["kind"][0]
        self.kind = "lib" if kind in LIBRARIES else kind
        self.scope = self.kind if self.kind == "lib" else f"{self.kind}:{target['name']}"
        self.name = f"{package['name']}/{self.scope}"
        # Where features are missing cargo passes over a target without a word.
        self.expected = target["test"] and not target.get("required-features")
        documented = any(kind in ("lib", "rlib", "proc-macro") for kind in target["kind"])
        self.has_docs = target.get("doctest", False) and documented
        self.program: Optional[str] = None
        self.failed = False
        self.library_built = False

    def holds(self, path: str) -> bool:
        """Whether a source file is compiled into this target, as far as its place tells."""
        if path == self.source:
            return True
        root, name = os.path.split(self.source)
        return (self.kind == "lib" or name == "main.rs") and path.startswith(root + os.sep)


class Cargo:
    def __init__(self, words: list[str], manifest: Optional[str]) -> None:
        at = next((at for at, word in enumerate(words) if word in ("test", "t", "nextest")), len(words))
        options = words[at + 1 :]
        self.words = words[:at]
        self.each_alone = words[at : at + 1] == ["nextest"]
        self.options = build_options(options[: options.index("--")] if "--" in options else options, self.each_alone)
        own = taken(self.options, "--manifest-path")
        self.place = ["--manifest-path", manifest or own[-1]] if manifest or own else []
        self.only_docs = "--doc" in self.options
        self.options = [word for word in self.options if word != "--doc"]
        self.environment: dict[str, dict[str, str]] = {}  # by package id: what its build script sets
        self.folders: list[str] = []  # of native libraries

    def command(self, verb: str, *arguments: str) -> list[str]:
        return [*self.words, verb, *self.place, *arguments]

    def metadata(self) -> dict[str, Any]:
        answer = subprocess.run(
            self.command("metadata", "--no-deps", "--format-version", "1"), stdout=subprocess.PIPE, check=False
        )
        if answer.returncode:
            sys.exit(FAULT)
        return json.loads(answer.stdout)

    def build(self, targets: list[Target]) -> None:
        """Builds test programs, those of other targets too where one does not compile."""
        options = self.options if has_any(self.options, OWN_TARGETS) else ["--tests", *self.options]
        if not has_any(options, ("--release", "--profile")):
            options = ["--profile", "test", *options]
        for extra in (["--keep-going"], []):  # older versions have no such option
            if self.build_once([*extra, *options], targets):
                return
        sys.exit(FAULT)

    def build_once(self, options: list[str], targets: list[Target]) -> bool:
        known = {(target.package["id"], target.source, target.kind): target for target in targets}
        finished = False
        command = self.command("build", "--message-format=json", *options)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
            assert process.stdout
            for line in process.stdout:
                message = object_of(line)
                reason = message.get("reason")
                finished = finished or reason == "build-finished"
                if reason == "build-script-executed":
                    self.note_script(message)
                if reason not in ("compiler-artifact", "compiler-message"):
                    continue
                kind = message["target"]["kind"][0]
                key = (message["package_id"], message["target"]["src_path"], "lib" if kind in LIBRARIES else kind)
                target = known.get(key)
                if reason == "compiler-artifact" and target:
                    if message["profile"]["test"]:
                        target.program = message["executable"]
                    elif target.kind == "lib":
                        target.library_built = True
                    elif target.kind == "bin" and message["executable"]:
                        name = f"CARGO_BIN_EXE_{message['target']['name']}"
                        self.environment.setdefault(message["package_id"], {})[name] = message["executable"]
                elif reason == "compiler-message" and message["message"].get("level") == "error":
                    print(message["message"].get("rendered") or "", file=sys.stderr)
                    if target:
                        target.failed = True
        return finished

    def note_script(self, message: dict[str, Any]) -> None:
        own = self.environment.setdefault(message["package_id"], {})
        own.update({name: value for name, value in message.get("env", [])})
        own["OUT_DIR"] = message["out_dir"]
        self.folders += [path.split("=", 1)[-1] for path in message.get("linked_paths", [])]


FLAGS = ("--workspace", "--all", "--release", "--all-features", "--no-default-features", "--locked", "--offline")
FLAGS += ("--frozen", "--ignore-rust-version", "--verbose", "--quiet", "--doc", *OWN_TARGETS)
VALUED = ("--package", "--exclude", "--test", "--bin", "--example", "--bench", "--features", "--profile", "--target")
VALUED += ("--target-dir", "--manifest-path", "--config", "-Z")
SHORT = {"-p": "--package", "-F": "--features", "-r": "--release", "-v": "--verbose", "-q": "--quiet"}


def build_options(words: list[str], nextest: bool) -> list[str]:
    """Of the options of a test command those that choose and build targets, in their long forms, each value as a word
    of its own. What says how tests run is left out, and so are names of tests."""
    kept = []
    rest = iter(plain_words(words))
    for word in rest:
        name, equals, value = word.partition("=")
        if nextest and name in ("--profile", "--cargo-profile"):
            name = "--profile" if name == "--cargo-profile" else "--nextest-profile"
        if name in VALUED:
            kept += [name, value if equals else next(rest, "")]
        elif word in FLAGS:
            kept.append(word)
    return kept


def plain_words(words: list[str]) -> Iterator[str]:
    """Short options in their long forms: `-pcore` is `--package core`, `-rq` is `--release --quiet`."""
    for word in words:
        short = word[:2]
        if word[:1] != "-" or word[:2] == "--" or len(word) < 2:
            yield word
        elif short in ("-p", "-F", "-Z"):
            yield SHORT.get(short, short)
            if word[2:]:
                yield word[2:].lstrip("=")
        else:
            yield from (SHORT.get(f"-{letter}", f"-{letter}") for letter in word[1:])


def has_any(words: list[str], options: tuple[str, ...]) -> bool:
    return any(word in options for word in words)


def object_of(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def packages_of(metadata: dict[str, Any], options: list[str]) -> list[dict[str, Any]]:
    """The packages that these options choose."""
    members = [package for package in metadata["packages"] if package["id"] in metadata["workspace_members"]]
    without = values_of(options, "--exclude")
    named = values_of(options, "--package")
    if named:
        chosen = [package for package in members if any(is_named(package, name) for name in named)]
    elif has_any(options, ("--workspace", "--all")):
        chosen = [package for package in members if not any(is_named(package, name) for name in without)]
    else:
        default = metadata.get("workspace_default_members") or metadata["workspace_members"]
        chosen = [package for package in members if package["id"] in default]
    if not chosen:
        print(f"no package of this workspace is meant by {' '.join(options)}", file=sys.stderr)
        sys.exit(FAULT)
    return chosen


def is_named(package: dict[str, Any], spec: str) -> bool:
    """`name`, `name@1.0`, `na*`, or what follows the `#` of an id."""
    return fnmatch.fnmatchcase(package["name"], spec.rpartition("#")[2].split("@")[0])


def values_of(options: list[str], name: str) -> list[str]:
    return [after for word, after in zip(options, options[1:]) if word == name]


def taken(options: list[str], name: str) -> list[str]:
    """The values of an option, which is taken out."""
    values = []
    while name in options:
        at = options.index(name)
        values += options[at + 1 : at + 2]
        del options[at : at + 2]
    return values


def touched(targets: list[Target], paths: list[str]) -> list[Target]:
    """The targets that these files belong to; a file that the tests of a package share stands for all of them."""
    chosen: list[Target] = []
    for path in (os.path.abspath(path) for path in paths):
        roots = {folder_of(target) for target in targets if path.startswith(folder_of(target) + os.sep)}
        root = max(roots, key=len, default="")
        near = [target for target in targets if folder_of(target) == root]
        own = [target for target in near if target.holds(path)]
        chosen += own or [target for target in near if target.kind == "test"] or near
    return [target for target in targets if target in chosen]


def folder_of(target: Target) -> str:
    return os.path.dirname(target.package["manifest_path"])


# ---- running ----


def package_environment(package: dict[str, Any]) -> dict[str, str]:
    """What cargo tells a test program about its package."""
    version = package["version"].split("+")[0]
    numbers, _, pre = version.partition("-")
    major, minor, patch = numbers.split(".")
    facts = {
        "VERSION": package["version"],
        "VERSION_MAJOR": major,
        "VERSION_MINOR": minor,
        "VERSION_PATCH": patch,
        "VERSION_PRE": pre,
        "NAME": package["name"],
        "AUTHORS": ":".join(package.get("authors") or []),
        **{
            key.upper(): package.get(key) or ""
            for key in ("description", "homepage", "repository", "license", "license_file", "rust_version", "readme")
        },
    }
    manifest = package["manifest_path"]
    environment = {f"CARGO_PKG_{key}": value for key, value in facts.items()}
    return {**environment, "CARGO_MANIFEST_DIR": os.path.dirname(manifest), "CARGO_MANIFEST_PATH": manifest}


def library_path(cargo: Cargo, program: str) -> str:
    deps = os.path.dirname(program)
    asked = subprocess.run(["rustc", "--print", "sysroot"], stdout=subprocess.PIPE, text=True, check=False)
    system = [os.path.join(asked.stdout.strip(), "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    folders = [*cargo.folders, deps, os.path.dirname(deps), *system]
    return ":".join(folder for folder in folders if folder)


def run_target(stream: Stream, cargo: Cargo, target: Target, test: str, limit: float) -> int:
    """All tests of a program, or one of them."""
    assert target.program
    environment = {
        **os.environ,
        "CARGO": shutil.which(cargo.words[0]) or cargo.words[0],
        "LD_LIBRARY_PATH": library_path(cargo, target.program),
        **(NEXTEST if cargo.each_alone else {}),
        **package_environment(target.package),
        **cargo.environment.get(target.package["id"], {}),
        **UNSTABLE,
    }
    place: dict[str, Any] = {"env": environment, "cwd": folder_of(target)}
    argv = [target.program, *LIBTEST, ONE_BY_ONE]
    tests = listed(target.program, limit, **place) if cargo.each_alone else []
    if tests:
        return stream.each_alone(target.name, argv, [each for each in tests if test in ("", each)], limit, **place)
    return stream.program(target.name, [*argv, *(["--exact", test] if test else [])], limit, **place)


def listed(program: str, limit: float, **options: Any) -> list[str]:
    """The tests that a program of libtest's has; none where it is no such program."""
    code, lines = said([program, "--list", "--format", "terse"], limit, **options)
    known = [line.rpartition(": ") for line in lines if line]
    libtest = code == 0 and all(name and kind in ("test", "benchmark") for name, _, kind in known)
    return list(dict.fromkeys(name for name, _, _ in known)) if libtest else []


def run_docs(out: str, cargo: Cargo, options: list[str], limit: float, arguments: list[str]) -> int:
    """Doc tests through cargo; the programs that rustdoc makes find the variable too."""
    with tempfile.TemporaryDirectory(prefix="r2e-doc-") as folder:
        stand_in = Path(folder, "rustdoc")
        stand_in.write_text(f'#!/bin/sh\nexec "$R2E_PYTHON" -I "$R2E_DRIVER" --rustdoc "$R2E_STREAM" "$@"\n')
        stand_in.chmod(0o700)
        environment = {
            **os.environ,
            "R2E_PYTHON": sys.executable,
            "R2E_DRIVER": os.path.abspath(__file__),
            "R2E_STREAM": os.path.abspath(out),
            "R2E_LIMIT": str(limit),
            "R2E_RUSTDOC": os.environ.get("RUSTDOC", "rustdoc"),
            "RUSTDOC": str(stand_in),
        }
        command = cargo.command("test", "--doc", "--no-fail-fast", *options, "--", *LIBTEST, *arguments)
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


def rustdoc(out: str, arguments: list[str]) -> int:
    """In rustdoc's place: the doc tests of one crate."""
    real = os.environ["R2E_RUSTDOC"]
    if "--test" not in arguments:
        os.execvp(real, [real, *arguments])
    environment = {key: value for key, value in os.environ.items() if not key.startswith("R2E_") or key == "R2E_RUN"}
    environment.pop("RUSTDOC", None)
    name = f"{os.environ['CARGO_PKG_NAME']}/doc"
    return Stream(out).program(name, [real, *arguments], float(os.environ["R2E_LIMIT"]), env={**environment, **UNSTABLE})


def main() -> int:
    if sys.argv[1:2] == ["--rustdoc"]:
        return rustdoc(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--manifest-path")
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--id")
    own, words = split_words(sys.argv[1:])
    options = parser.parse_args(own)
    stream = Stream(options.out)
    cargo = Cargo(words or ["cargo", "test", "--workspace"], options.manifest_path)
    packages = packages_of(cargo.metadata(), cargo.options)
    targets = [Target(package, target) for package in packages for target in package["targets"]]
    targets = [target for target in targets if target.kind in ("lib", "bin", "test", "example", "bench")]
    scope, _, name = (options.id or "").partition("::")
    crate = scope.split("/")[0]
    wanted = targets
    if cargo.only_docs:
        wanted = []
    elif options.id:
        wanted = [target for target in targets if target.name == scope]
    elif options.file:
        wanted = touched(targets, options.file)
    if options.id or options.file:
        names = sorted({target.package["name"] for target in wanted} | ({crate} if options.id else set()))
        cargo.options = [*without_packages(cargo.options), *(word for chosen in names for word in ("--package", chosen))]
    cargo.build(targets)
    codes = []
    explicit = has_any(cargo.options, OWN_TARGETS)
    for target in sorted(wanted, key=lambda target: target.name):
        if target.program:
            codes.append(run_target(stream, cargo, target, name, options.limit))
        elif target.failed or (target.expected and not explicit):
            stream.write({"type": "unbuilt", "name": target.name})
            codes.append(101)
    libraries = [target for target in targets if target.has_docs]
    if scope.startswith(f"{crate}/doc"):
        libraries = [target for target in libraries if target.package["name"] == crate]
    elif options.id or options.file or explicit:
        libraries = []
    codes += document_tests(stream, options, cargo, libraries, name)
    stream.write({"type": "done"})
    return 101 if any(codes) else 0


def document_tests(stream: Stream, options: Any, cargo: Cargo, libraries: list[Target], name: str) -> Iterator[int]:
    for target in libraries:
        if not target.library_built:
            stream.write({"type": "unbuilt", "name": f"{target.package['name']}/doc"})
            yield 101
    built = [target for target in libraries if target.library_built]
    if not built:
        return
    chosen = cargo.options
    if len(built) < len(libraries):  # one that does not compile would end the others too
        chosen = [*without_packages(chosen), *(word for target in built for word in ("--package", target.package["name"]))]
    yield run_docs(options.out, cargo, chosen, options.limit, [name] if name and name != "crate" else [])


def without_packages(options: list[str]) -> list[str]:
    kept = [word for word in options if word not in ("--workspace", "--all")]
    for name in ("--package", "--exclude"):
        taken(kept, name)
    return kept


def split_words(words: list[str]) -> tuple[list[str], list[str]]:
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


if __name__ == "__main__":
    sys.exit(main())
