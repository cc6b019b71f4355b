"""Runs the tests of cargo packages and writes one JSON line per event (format libtest-json).

cargo_tests.py --out FILE [--manifest-path FILE] [--limit SECONDS] [--file PATH]... [--id ID] -- CARGO test [OPTIONS]

Every target is built first, each for itself, so that one that does not compile takes no other along. Then each test
program runs alone, one test at a time, or each test in a process of its own where CARGO says nextest; doc tests come
last, through cargo with this file in rustdoc's place. Of OPTIONS those that choose and build targets are kept. Exit code
2 says that cargo could not even read the packages. The stream holds {"type": "target", "name": "crate/test:it"} before what the program said in libtest's own JSON, {"type": "exit",
"code": 0} after it, {"type": "unbuilt", "name": …} for a target that did not compile, and {"type": "done"}. What tested
code prints beside it goes to the log.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, Optional

LIBTEST = ["--format", "json", "-Z", "unstable-options"]
ONE_BY_ONE = "--test-threads=1"
FAULT = 2
# libtest wants to see the variable; to the compiler it names the one crate that may use unstable features: none.
UNSTABLE = {"RUSTC_BOOTSTRAP": "r2e_no_such_crate"}
LIBRARIES = ("lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro")
OWN_TARGETS = ("--lib", "--bin", "--bins", "--test", "--tests", "--example", "--examples", "--all-targets")


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
        failure of itself alone."""
        self.write({"type": "target", "name": name}, {"type": "suite", "event": "started", "test_count": len(tests)})
        failed = False
        for test in tests:
            code, events = heard(f"{name}::{test}", [*argv, "--exact", test], limit, **options)
            own = [event for event in events if event["type"] == "test"]
            told = len({event.get("name") for event in own}) == 1 and own[-1].get("event") in ("ok", "failed", "ignored")
            if not told or (code != 0 and own[-1]["event"] != "failed"):
                own = [{"type": "test", "event": event, "name": test} for event in ("started", "failed")]
            failed = failed or own[-1]["event"] == "failed"
            self.write(*own)
        code = 101 if failed else 0
        self.write({"type": "suite", "event": "failed" if failed else "ok"}, {"type": "exit", "code": code})
        return code


def heard(name: str, argv: list[str], limit: float, **options: Any) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and events of a program. Its output goes through a file, so that no child of a test can hold it up."""
    with tempfile.TemporaryFile() as output:
        code = run_limited(argv, limit, stdout=output, **options)
        output.seek(0)
        events, noise = [], []
        for line in output.read().decode("utf-8", "replace").split("\n"):
            event, rest = libtest_event(line)
            if event:
                events.append(event)
            if rest.strip():
                noise.append(rest)
    print(f"-- {name}: exit code {code}", *noise, sep="\n", flush=True)
    return code, events


def libtest_event(line: str) -> tuple[Optional[dict[str, Any]], str]:
    """The event that ends a line, without captured output, and what a test printed before it."""
    at = line.rfind('{ "type": "')
    if at < 0:
        return None, line
    try:
        value = json.loads(line[at:])
    except ValueError:
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
        self.place = ["--manifest-path", manifest] if manifest else []
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
        if not has_any(options, ("--release", "-r", "--profile")):
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


FLAGS = ("--workspace", "--all", "--release", "-r", "--all-features", "--no-default-features", "--locked", "--offline")
FLAGS += ("--frozen", "--ignore-rust-version", "--verbose", "-v", "--quiet", "-q", *OWN_TARGETS)
VALUED = ("-p", "--package", "--exclude", "--test", "--bin", "--example", "--bench", "--features", "-F", "--profile")
VALUED += ("--target", "--target-dir", "--config", "-Z")
# What says how tests are run, with a value behind it: here every test runs, once.
PASSED_OVER = ("-j", "--jobs", "--color", "--message-format", "-P", "-E", "--filterset", "--filter-expr", "--retries")
PASSED_OVER += ("--test-threads", "--partition", "--status-level", "--final-status-level", "--success-output")
PASSED_OVER += ("--failure-output", "--config-file", "--tool-config-file", "--run-ignored", "--no-tests", "--max-fail")
PASSED_OVER += ("--build-jobs", "--cargo-message-format", "--user-config-file")


def build_options(words: list[str], nextest: bool) -> list[str]:
    """Of the options of a test command those that cargo takes for building too, each value as a word of its own."""
    kept = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if nextest and name == "--profile":
            name = "-P"
        elif nextest and name == "--cargo-profile":
            name = "--profile"
        if name in VALUED:
            kept += [name, value if equals else next(rest, "")]
        elif name in PASSED_OVER and not equals:
            next(rest, "")
        elif word[:2] in ("-p", "-F"):
            kept += [word[:2], word[2:]]
        elif name in FLAGS:
            kept.append(word)
    return kept


def has_any(words: list[str], options: tuple[str, ...]) -> bool:
    return any(word in options for word in words)


def object_of(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def packages_of(metadata: dict[str, Any], options: list[str]) -> list[dict[str, Any]]:
    """The packages that these options choose."""
    members = [package for package in metadata["packages"] if package["id"] in metadata["workspace_members"]]
    if has_any(options, ("-p", "--package")):
        named = [after for word, after in zip(options, [*options[1:], ""]) if word in ("-p", "--package")]
        return [package for package in members if package["name"] in {name.split("@")[0] for name in named}]
    if has_any(options, ("--workspace", "--all")):
        return members
    default = metadata.get("workspace_default_members") or metadata["workspace_members"]
    return [package for package in members if package["id"] in default]


def touched(targets: list[Target], paths: list[str]) -> list[Target]:
    """The targets that these files belong to; a file that the tests of a package share stands for all of them."""
    chosen: list[Target] = []
    for path in (os.path.abspath(path) for path in paths):
        root = max((folder_of(target) for target in targets if path.startswith(folder_of(target) + os.sep)), key=len, default="")
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
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    folders = [*cargo.folders, deps, os.path.dirname(deps), os.path.join(sysroot, "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    return ":".join(folder for folder in folders if folder)


def run_target(stream: Stream, cargo: Cargo, target: Target, test: str, limit: float) -> int:
    """All tests of a program, or one of them."""
    assert target.program
    environment = {
        **os.environ,
        "CARGO": shutil.which(cargo.words[0]) or cargo.words[0],
        "LD_LIBRARY_PATH": library_path(cargo, target.program),
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
    """The tests that a program of libtest's has; none where it cannot say."""
    with tempfile.TemporaryFile() as output:
        code = run_limited([program, "--list", "--format", "terse"], limit, stdout=output, **options)
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").splitlines()
    return [line[: -len(": test")] for line in lines if line.endswith(": test")] if code == 0 else []


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
    if options.id:
        wanted = [target for target in targets if target.name == scope]
    elif options.file:
        wanted = touched(targets, options.file)
    if options.id or options.file:
        names = sorted({target.package["name"] for target in wanted} | ({crate} if options.id else set()))
        cargo.options = [*without_packages(cargo.options), *(word for chosen in names for word in ("-p", chosen))]
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
        chosen = [*without_packages(chosen), *(word for target in built for word in ("-p", target.package["name"]))]
    yield run_docs(options.out, cargo, chosen, options.limit, [name] if name and name != "crate" else [])


def without_packages(options: list[str]) -> list[str]:
    kept, skip = [], False
    for word in options:
        if not skip and word not in ("--workspace", "--all", "-p", "--package", "--exclude"):
            kept.append(word)
        skip = not skip and word in ("-p", "--package", "--exclude")
    return kept


def split_words(words: list[str]) -> tuple[list[str], list[str]]:
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


if __name__ == "__main__":
    sys.exit(main())
