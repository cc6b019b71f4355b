"""What the reporters of compiled projects share: events, processes, a fresh build folder, how much may run at once."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Iterable, Optional

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from report import Report, in_order, parse_report  # noqa: E402

BINARY_SECONDS = 120  # for one test program as a whole: a hanging test then ends as its own failure
ALONE_SECONDS = 60  # for one test in a process of its own
EVERYTHING = "."  # the scope of a project that cannot even be configured


class Events:
    """The report: one JSON line per event (format events-jsonl), each one write."""

    def __init__(self, path: str) -> None:
        self.handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self.clean = True
        self.write(event="module", scope=EVERYTHING)

    def write(self, **event: str) -> None:
        os.write(self.handle, (json.dumps(event) + "\n").encode())

    def end(self, name: str, status: str) -> None:
        self.clean = self.clean and status not in ("ERROR", "FAILED")
        self.write(event="end", id=name, status=status)

    def unload(self, scope: str) -> None:
        self.clean = False
        self.write(event="unloaded", scope=scope)

    def add(self, report: Report) -> None:
        for name, status in report.tests.items():
            self.end(name, status)
        for scope in in_order(report.unloaded):
            self.unload(scope)

    def finish(self) -> None:
        """Only now is what was written whole; the exit code says whether all of it is good."""
        self.write(event="done")
        sys.exit(0 if self.clean else 1)


def run(argv: list[str], cwd: str, seconds: Optional[float] = None, env: Optional[dict[str, str]] = None) -> Optional[int]:
    """The exit code (negative: a signal), or None where the time was over. Its whole process group ends with it."""
    process = start(argv, cwd, env, None)
    if process is None:
        return 127
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end(process)


def output_of(argv: list[str], cwd: str, env: Optional[dict[str, str]] = None, seconds: float = ALONE_SECONDS) -> str:
    """Standard output where the program ended well, else nothing."""
    process = start(argv, cwd, env, subprocess.PIPE)
    if process is None:
        return ""
    try:
        output = process.communicate(timeout=seconds)[0]
        return output.decode("utf-8", "replace") if process.returncode == 0 else ""
    except subprocess.TimeoutExpired:
        return ""
    finally:
        end(process)


def start(argv: list[str], cwd: str, env: Optional[dict[str, str]], stdout: Optional[int]) -> Optional[subprocess.Popen]:
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            start_new_session=True,
        )
    except OSError as error:
        print(f"cannot start {argv[0]}: {error.strerror}", file=sys.stderr)
        return None


def end(process: subprocess.Popen) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    process.wait()


def fresh_folder(path: str) -> str:
    """Nothing of an earlier build is ever run: what need not be compiled again comes from the compiler's cache."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)
    os.makedirs(path)
    return os.path.realpath(path)


def jobs() -> int:
    """By the limits of the container, which the build tools do not know: one per CPU, and a GiB of memory for each."""
    cpus = float(len(os.sched_getaffinity(0)))
    quota = re.fullmatch(r"(\d+) (\d+)\s*", read("/sys/fs/cgroup/cpu.max"))
    old = (read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), read("/sys/fs/cgroup/cpu/cpu.cfs_period_us"))
    if quota:
        cpus = min(cpus, int(quota[1]) / int(quota[2]))
    elif all(re.fullmatch(r"\d+\s*", text) for text in old):
        cpus = min(cpus, int(old[0]) / int(old[1]))
    memory = [1 << 62]
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        if re.fullmatch(r"\d+\s*", read(path)):
            memory.append(int(read(path)))
    return max(1, int(min(cpus, min(memory) >> 30)))


def read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return ""


def read_report(form: str, path: str, name: str = "") -> Optional[Report]:
    """A report that a test run left, or None where there is none. What cannot be read as a whole is None too."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    report = parse_report(form, data, name)
    return None if report.error else report


def scratch_folder() -> str:
    return tempfile.mkdtemp(prefix="r2e-native-")


def inside(path: str, folder: str) -> Optional[str]:
    """The path below a folder, or None where it lies elsewhere."""
    relative = os.path.relpath(os.path.normpath(path), folder)
    return None if relative.startswith("..") else relative


def unique(items: Iterable) -> list:
    return list(dict.fromkeys(items))
