"""Grades the work tree of a task. Standard library only, Python 3.9 or newer, run as `python3 -I grade.py`.

grade         restore the grader's files, run the tests or git, write the reward to $R2E_LOGS (/logs/verifier)
parse F FILE [PATH]   read one report of format F, found at PATH below the work tree, and print {tests, unloaded,
              malformed, error?} as JSON
similarity M A B   compare two diffs by metric M and print the result as JSON

Beside this file lie report.py and formats/ (the parsers), inline/ (what finds tests inside source files), run.json or
diff.json (or both absent), restore.json, files/, f2p.json, p2p.json, oracle.diff, and contents.json, which names all of
them: a runtime copies this folder over whatever lies there, so that anything else in it is the work of somebody else.
The parsers, the grading and the similarity equal those of the package @r2e/reward; one corpus tests both.
"""

from __future__ import annotations

import fnmatch
import hashlib
import importlib
import json
import math
import os
import re
import resource
import selectors
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple, NoReturn, Optional

VERSION = "2"
ROOT_NAMESPACE = "pid:[4026531836]"
TESTS = Path(__file__).resolve().parent


def remove_strangers() -> None:
    """Before anything is imported from this folder, what does not belong to it goes: a module put there would be run.
    Nothing is removed on a machine that is no container: there the folder is somebody's own, and nothing is graded."""
    try:
        for path in strangers():
            if not in_container():
                refuse(f"{path} is not of this task: remove it, or run the task in a container")
            print(f"removed {path}, which is not of this task", file=sys.stderr)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
    except (OSError, ValueError, KeyError) as error:
        refuse(f"{TESTS} cannot be looked through: {error}")


def strangers() -> Iterator[str]:
    """What is not of the task; a link, or anything else that is no file or folder, in the place of its own is refused."""
    contents = TESTS / "contents.json"
    if not stat.S_ISREG(os.lstat(contents).st_mode):
        refuse(f"{contents} is no file")
    files = set(json.loads(contents.read_text("utf-8"))["files"])
    folders_of_files = {str(folder) for path in files for folder in Path(path).parents}
    for folder, folders, names in os.walk(TESTS):
        kept = set()
        for name in [*folders, *names]:
            path = os.path.join(folder, name)
            own = os.path.relpath(path, TESTS)
            mode = os.lstat(path).st_mode
            if own in files and stat.S_ISREG(mode):
                continue
            if own in folders_of_files and stat.S_ISDIR(mode):
                kept.add(name)
            elif own in files or own in folders_of_files:
                refuse(f"{path} is not what the task has there")
            else:
                yield path
        folders[:] = kept


def in_container() -> bool:
    """Where nothing tells it is not."""
    try:
        return os.readlink("/proc/self/ns/pid") not in ("", ROOT_NAMESPACE)
    except OSError:
        return False


def refuse(detail: str) -> NoReturn:
    """Nothing of this folder is loaded yet. The failing reward stands already."""
    details = Path(os.environ.get("R2E_LOGS", "/logs/verifier"), "reward-details.json")
    details.write_text(json.dumps({"reward": 0.0, "status": "grader_changed", "detail": detail}) + "\n", "utf-8")
    sys.exit(detail)


sys.dont_write_bytecode = True
if sys.argv[1:] == ["grade"]:
    remove_strangers()
sys.path.insert(0, str(TESTS))  # -I leaves it out

from report import Report, in_order, parse_report, parser_of, unreadable  # noqa: E402

LOGS = Path(os.environ.get("R2E_LOGS", "/logs/verifier"))
SHOWN = 20
MAX_REPORT = 512 * 1024 * 1024
MAX_LOG = 1024 * 1024


class Ungradable(Exception):
    """Nothing can be measured: reward 0, with this status and detail."""

    def __init__(self, status: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


# ---- similarity of diffs: contract §7.1 ----


MAX_LINES = 100_000
MAX_UNITS = 64 * 1024 * 1024
LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
SPACE = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


def split_lines(text: str) -> list[str]:
    lines = LINE_END.split(text)
    return lines[:-1] if lines[-1] == "" else lines


def file_marker(line: str) -> str:
    return line.split("\t", 1)[0].strip(SPACE)


def normalise_diff(text: str) -> list[str]:
    kept = []
    for line in split_lines(text):
        if line.startswith(("diff --git ", "index ")):
            continue
        if line.startswith("@@") and "@@" in line[2:]:
            line = "@@"
        elif line.startswith(("--- ", "+++ ")):
            line = file_marker(line)
        kept.append(line)
    return kept


def similarity(metric: str, oracle: str, prediction: str) -> dict[str, Any]:
    by_file = metric != "ratio_v07"
    if units(oracle) + units(prediction) > MAX_UNITS:
        return result_of(None, 0, 0, 0, None)
    if not prediction.strip(SPACE):
        return result_of(0.0, 0, 0, 0, "empty prediction")
    wanted = changes_by_file(oracle) if by_file else {"": normalise_diff(oracle)}
    given = changes_by_file(prediction) if by_file else {"": normalise_diff(prediction)}
    total, predicted = (sum(map(len, side.values())) for side in (wanted, given))
    if total == 0:
        return result_of(0.0, 0, predicted, 0, "empty oracle after normalization")
    if total + predicted > MAX_LINES:
        return result_of(None, total, predicted, 0, None)
    matched = sum(count_matches(lines, given.get(name, [])) for name, lines in wanted.items())
    return result_of(2 * matched / (total + predicted), total, predicted, matched, None)


def units(text: str) -> int:
    """UTF-16 units, counted only where it may matter."""
    return len(text) if len(text) < MAX_UNITS // 4 else len(text.encode("utf-16-le", "surrogatepass")) // 2


def result_of(value: Optional[float], total: int, predicted: int, matched: int, error: Optional[str]) -> dict[str, Any]:
    return {
        "status": "too_large" if value is None else "ok",
        "similarity": value,
        "pred_lines": predicted,
        "oracle_lines": total,
        "matched_lines": matched,
        "parse_error": error,
    }


HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
UNCOUNTED = re.compile("(?:diff --git|index|similarity index|dissimilarity index) ")


class Section:
    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []
        self.header = True
        self.marked = False

    def add_header(self, line: str) -> None:
        if not line or UNCOUNTED.match(line):
            return
        marker = line.startswith(("--- ", "+++ "))
        kept = file_marker(line) if marker else line
        self.lines.append(kept)
        self.marked = self.marked or marker
        if marker and not kept.endswith(" /dev/null"):
            self.name = re.sub("^[ab]/", "", kept[4:])


def changes_by_file(text: str) -> dict[str, list[str]]:
    """What git writes above the hunks of a file, and its added and removed lines."""
    lines = split_lines(text)
    sections: list[Section] = []
    removed = added = 0
    for at, line in enumerate(lines):
        section = sections[-1] if sections else None
        if removed > 0 or added > 0:
            sign = line[:1] or " "
            if section and sign in "+-":
                section.lines.append(line)
            removed -= sign in "- "
            added -= sign in "+ "
            continue
        hunk = HUNK.match(line)
        if hunk and section:
            removed, added = int(hunk[1] or 1), int(hunk[2] or 1)
            section.header = False
        elif opens_section(line, lines[at + 1] if at + 1 < len(lines) else "", section):
            sections.append(Section(line))
            sections[-1].add_header(line)
        elif section and section.header:
            section.add_header(line)
        elif section and line.startswith(("+", "-")):
            section.lines.append(line)
    changes: dict[str, list[str]] = {}
    for section in sections:
        changes.setdefault(section.name, []).extend(section.lines)
    return changes


def opens_section(line: str, following: str, section: Optional[Section]) -> bool:
    if line.startswith("diff --git "):
        return True
    if section and section.header and not section.marked:
        return False
    return line.startswith("--- ") and following.startswith("+++ ")


Window = tuple[int, int, int, int, int]  # a from, a to, b from, b to, no block is longer


class Matcher:
    """Matching blocks of Ratcliff and Obershelp as difflib finds them, near-linear: see count-matches.ts."""

    def __init__(self, a: list[str], b: list[str]) -> None:
        known: dict[str, int] = {}
        self.size = len(a)
        self.levels = [[known.setdefault(line, len(known)) for line in a + b]]
        self.end = len(a) + len(b)

    def count(self) -> int:
        most = min(self.size, self.end - self.size)
        root = (0, self.size, self.size, self.end)
        limit = 1
        while limit <= most and self.has_block(root, limit):
            limit *= 2
        stack: list[Window] = [(*root, min(most, limit - 1))]
        matches = 0
        while stack:
            window = stack.pop()
            length = self.longest(window)
            if length:
                matches += self.walk(window, length, stack)
        return matches

    def longest(self, window: Window) -> int:
        region, limit = window[:4], window[4]
        high = min(limit, region[1] - region[0], region[3] - region[2]) + 1
        if high <= 1 or not self.has_block(region, 1):
            return 0
        low, step = 1, 1
        while high - step > low:
            if self.has_block(region, high - step):
                low = high - step
                break
            high -= step
            step *= 2
        while high - low > 1:
            middle = (low + high) // 2
            if self.has_block(region, middle):
                low = middle
            else:
                high = middle
        return low

    def grams(self, start: int, end: int, length: int) -> Iterator[tuple[int, int]]:
        """Names of the runs of this length in [start, end): equal runs have equal names."""
        level = length.bit_length() - 1
        while len(self.levels) <= level:
            half = 2 ** (len(self.levels) - 1)
            last, table = self.levels[-1], {}
            pairs = zip(last, last[half:])
            self.levels.append([table.setdefault(pair, len(table)) for pair in pairs])
        names, shift, stop = self.levels[level], length - 2**level, end - length + 1
        return zip(names[start:stop], names[start + shift : stop + shift])

    def has_block(self, region: tuple[int, int, int, int], length: int) -> bool:
        alo, ahi, blo, bhi = region
        return not set(self.grams(blo, bhi, length)).isdisjoint(self.grams(alo, ahi, length))

    def walk(self, window: Window, length: int, stack: list[Window]) -> int:
        alo, ahi, blo, bhi, _ = window
        places: dict[tuple[int, int], list[int]] = {}
        for place, gram in enumerate(self.grams(blo, bhi, length), blo):
            places.setdefault(gram, []).append(place)
        for later in places.values():
            later.reverse()
        matches, free = 0, alo
        for i, gram in enumerate(self.grams(alo, ahi, length), alo):
            later = places.get(gram)
            if i < free or not later:
                continue
            while later and later[-1] < blo:
                later.pop()
            if not later:
                continue
            self.push(stack, (free, i, blo, later[-1], length - 1))
            matches += length
            free, blo = i + length, later[-1] + length
        self.push(stack, (free, ahi, blo, bhi, length - 1))
        return matches

    @staticmethod
    def push(stack: list[Window], window: Window) -> None:
        alo, ahi, blo, bhi, limit = window
        if limit > 0 and alo < ahi and blo < bhi:
            stack.append(window)


def count_matches(a: list[str], b: list[str]) -> int:
    return Matcher(a, b).count() if a and b else 0


# ---- the tree: restoring the grader's files, never through a link the agent left ----


def byte_path(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def parts_of(path: str) -> list[bytes]:
    parts = byte_path(path).split(b"/")
    if any(part in (b"", b".", b"..") or b"\0" in part for part in parts):
        raise Ungradable("bad_plan", f"a path of the plan is not plain: {path!r}")
    return parts


class Tree:
    """The work tree by directory handles, so that no component is ever followed as a link."""

    def __init__(self, root: str) -> None:
        self.root = byte_path(root)

    def open_parent(self, parts: list[bytes], create: bool) -> Optional[int]:
        """A handle of the folder of a path. What stands in the way is removed; a missing folder is made or None."""
        handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        for part in parts[:-1]:
            try:
                following = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
            except OSError:
                remove_entry(handle, part)
                if not create:
                    os.close(handle)
                    return None
                os.mkdir(part, 0o755, dir_fd=handle)
                following = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = following
        return handle

    def write(self, path: str, mode: str, content: bytes) -> None:
        parts = parts_of(path)
        parent = self.open_parent(parts, create=True)
        assert parent is not None
        try:
            remove_entry(parent, parts[-1])
            if mode == "120000":
                os.symlink(content, parts[-1], dir_fd=parent)
                return
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            with open(os.open(parts[-1], flags, 0o600, dir_fd=parent), "wb") as file:
                os.fchmod(file.fileno(), 0o755 if mode == "100755" else 0o644)
                file.write(content)
        finally:
            os.close(parent)

    def read(self, path: str) -> Optional[tuple[str, bytes]]:
        """Mode and content of a regular file, or None."""
        parts = parts_of(path)
        handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                following = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
                os.close(handle)
                handle = following
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
            with open(os.open(parts[-1], flags, dir_fd=handle), "rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                if not stat.S_ISREG(mode):
                    return None
                return "100755" if mode & 0o100 else "100644", file.read()
        except OSError:
            return None
        finally:
            os.close(handle)

    def exists(self, path: str) -> bool:
        return os.path.lexists(self.place(path))

    def place(self, path: str) -> bytes:
        return os.path.join(self.root, *parts_of(path))

    def read_linked(self, path: str) -> Optional[tuple[str, bytes, str]]:
        """As `read`, and where: of a link the file that it leads to, if that lies in the tree."""
        real, root = os.path.realpath(self.place(path)), os.path.realpath(self.root) + b"/"
        target = os.fsdecode(real[len(root) :]) if real.startswith(root) else path
        found = self.read(target)
        return found and (*found, target)

    def files(self, suffix: str, skip: set[str]) -> Iterator[str]:
        for folder, below, names in os.walk(self.root, followlinks=False):
            below[:] = [name for name in below if os.fsdecode(name) not in skip]
            above = folder[len(self.root) :].strip(b"/")
            for name in names:
                path = os.fsdecode(above + b"/" + name if above else name)
                if path.endswith(suffix):
                    yield path

    def digest(self, path: str) -> str:
        """Of a plain file; empty for anything else."""
        parts = parts_of(path)
        parent = self.open_parent(parts, create=False)
        if parent is None:
            return ""
        try:
            name = "/proc/self/fd/%d/%s" % (parent, os.fsdecode(parts[-1]))
            return file_digest(name) if stat.S_ISREG(os.lstat(name).st_mode) else ""
        except OSError:
            return ""
        finally:
            os.close(parent)

    def delete(self, path: str) -> None:
        parts = parts_of(path)
        parent = self.open_parent(parts, create=False)
        if parent is not None:
            remove_entry(parent, parts[-1])
            os.close(parent)

    def purge(self, rule: dict[str, Any], kept: set[bytes]) -> None:
        """Removes what matches the rule and is not the grader's."""
        names = [name_pattern(name) for name in rule.get("names", [])]
        folders = [byte_path(folder) for folder in rule.get("folders", [])]
        skip = {byte_path(name) for name in rule.get("skip", [])}
        kept_folders = {folder for path in kept for folder in folders_above(path)}

        def belongs(relative: bytes, name: bytes) -> bool:
            return any(pattern.fullmatch(name) for pattern in names) or any(
                folder == b"" or relative == folder or relative.startswith(folder + b"/") for folder in folders
            )

        named: set[bytes] = set()  # folders that match and hold something of the grader's: all else in them goes
        for folder, below, files in os.walk(self.root, followlinks=False):
            above = folder[len(self.root) :].strip(b"/")
            stays = set()
            for name in [*below, *files]:
                relative = above + b"/" + name if above else name
                if name in skip and name in below:
                    continue
                matches = above in named or belongs(relative, name)
                if matches and relative in kept_folders:
                    named.add(relative)
                if relative in kept or relative in kept_folders or not matches:
                    stays.add(name)
                else:
                    remove(folder + b"/" + name)
            below[:] = [name for name in below if name in stays]


def folders_above(path: bytes) -> list[bytes]:
    parts = path.split(b"/")
    return [b"/".join(parts[:end]) for end in range(1, len(parts))]


def name_pattern(glob: str) -> re.Pattern[bytes]:
    """`*` and `?` alone are special."""
    return re.compile(fnmatch.translate(glob.replace("[", "[[]")).encode("utf-8", "surrogateescape"), re.DOTALL)


def remove_entry(parent: int, name: bytes) -> None:
    remove(b"/proc/self/fd/%d/%s" % (parent, name))


def remove(path: bytes) -> None:
    """Whatever is there goes; a link is not followed."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def restore(workdir: str, plan: dict[str, Any]) -> list[str]:
    """Answers the source files that are gone, and the grader's tests inside them with them."""
    contents = [(file["path"], file["mode"], copy_of(file)) for file in plan["files"]]
    tree = Tree(workdir)
    for path in changed_data(workdir, plan):
        raise Ungradable("test_data_changed", f"{path!r} belongs to the tests and is not as it was")
    for path in plan["delete"]:
        tree.delete(path)
    for path, mode, content in contents:
        tree.write(path, mode, content)
    tree.purge(plan["purge"], {byte_path(path) for path, _, _ in contents})
    return splice_tree(tree, plan, {path for path, _, _ in contents}) if "inline" in plan else []


def changed_data(workdir: str, plan: dict[str, Any]) -> list[str]:
    """Of the test data without a copy what is not as it was."""
    tree = Tree(workdir)
    return [left["path"] for left in plan.get("left", []) if tree.digest(left["path"]) != left["sha256"]]


def copy_of(file: dict[str, str]) -> bytes:
    content = (TESTS / "files" / file["from"]).read_bytes()
    if hashlib.sha256(content).hexdigest() != file["sha256"]:
        raise Ungradable("grader_changed", f"the grader's copy of {file['path']!r} is not what was shipped")
    return content


# ---- tests inside source files ----


def splice_tree(tree: Tree, plan: dict[str, Any], own: set[str]) -> list[str]:
    """Every source file gets the grader's test code in place of its own, which where the grader has none is none."""
    language = importlib.import_module(f"inline.{plan['inline']['language']}")
    tests = {file["path"]: copy_of(file) for file in plan["inline"]["files"]}
    placed = set()
    for path in sorted({*tree.files(language.SUFFIX, set(plan["purge"].get("skip", []))), *tests} - own):
        found = tree.read_linked(path)
        if not found:
            if path not in tests:
                tree.delete(path)  # a link out of the tree: what it leads to cannot be spliced
            continue
        mode, content, where = found
        moved = [other for other in language.other_places(path) if not tree.exists(other)]
        source = next((place for place in (path, *moved, where) if place in tests), "")
        placed.add(source)
        spliced = splice_bytes(content, tests.get(source, b""), language)
        if spliced != content or where != path:
            tree.write(path, mode, spliced)
    return lost_files(tree, tests.keys() - placed)


def lost_files(tree: Tree, paths: set[str]) -> list[str]:
    """A solution may remove a file, or may not have written it yet; it has no reason to put something else in its place."""
    for path in sorted(paths):
        if tree.exists(path):
            raise Ungradable("source_replaced", f"{path!r} is no file of the tree: the tests in it have no place")
    return sorted(paths)


def splice_bytes(content: bytes, tests: bytes, language: Any) -> bytes:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content
    return splice(text, tests.decode("utf-8", "replace"), language.pieces, language.end_of_items).encode("utf-8")


def splice(text: str, tests: str, find: Callable[[str], list[Any]], end: Callable[[str], int] = len) -> str:
    """Other test code in place of a text's own; splice-tests.ts of @r2e/kit does the same. What follows `end` makes way for
    code that is added: it would hang on that."""
    wanted = {key: tests[piece.start : piece.end] for key, piece in numbered(find(tests))}
    parts: list[str] = []
    at = 0
    dropped = False
    for key, piece in numbered(find(text)):
        between = text[at : piece.start]
        at = piece.end
        # The line of a dropped piece goes with it, and the blank one above.
        blank = key not in wanted and (between.endswith("\n\n") or (dropped and between == "\n"))
        parts.append(between[:-1] if blank else between)
        dropped = key not in wanted
        if dropped:
            gap = re.match(r"[ \t]*(?:\r?\n)?", text[at : at + 80])
            at += gap.end() if gap else 0
        else:
            parts.append(wanted.pop(key))
    out = "".join(parts) + text[at:]
    if not wanted:
        return out
    before = out[: end(out)].rstrip(" \t\r\n")
    return (before + "\n\n" if before else "") + "\n\n".join(wanted.values()) + "\n"


def numbered(pieces: list[Any]) -> Iterator[tuple[tuple[str, int], Any]]:
    seen: dict[str, int] = {}
    for piece in pieces:
        seen[piece.key] = seen.get(piece.key, 0) + 1
        yield (piece.key, seen[piece.key]), piece


# ---- processes ----




class Process(NamedTuple):
    parent: int
    group: int


def kill_strays(mark: str) -> None:
    """
    Ends what the tests left behind: in a container everything but our callers, else what carries our mark. What forks
    and exits without end is hardly ever where a look finds it: its group ends it, or at last a halt of all processes,
    which no fork escapes. That one halts our callers too, and some of them go to sleep with what they wait for.
    """
    ours = os.environ.get("R2E_KEEP_PROCESSES") == "1" or not in_container()
    halted = False
    dead: set[int] = set()
    try:
        for turn in range(400):
            table, gone = processes()
            victims = marked_processes(table, mark) if ours else foreign_processes(table)
            if not victims and (ours or gone <= dead):
                return
            dead = gone
            if turn == 100 and not ours:
                halted = True
                send(-1, signal.SIGSTOP)
            end_all(table, victims)
            time.sleep(0.005)
        raise Ungradable("processes_left", "processes that the tests started cannot be ended")
    finally:
        if halted:
            send(-1, signal.SIGCONT)


def end_all(table: dict[int, Process], victims: list[int]) -> None:
    spared = {process.group for pid, process in table.items() if pid not in victims}
    groups = {table[pid].group for pid in victims} - spared
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for target in [*(-group for group in groups if group > 1), *victims]:
            send(target, number)


def send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        pass


def processes() -> tuple[dict[int, Process], set[int]]:
    """
    Living processes, but for those of the container's own session (an init's first child); and those that were listed and
    had ended when they were looked at. One that was alive in the look before may have left a child that is not listed.
    """
    found, gone = {}, set()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            state, parent, group, session = Path("/proc", name, "stat").read_bytes().rpartition(b") ")[2].split()[:4]
        except (OSError, ValueError):
            gone.add(int(name))
            continue
        if state in (b"Z", b"X"):
            gone.add(int(name))
        elif (session != b"1" or name == "1"):
            found[int(name)] = Process(int(parent), int(group))
    return found, gone


def foreign_processes(table: dict[int, Process]) -> list[int]:
    """All but process 1, this one, its ancestors and their other children."""
    ancestors = set()
    pid = os.getpid()
    while pid in table and table[pid].parent > 1:
        pid = table[pid].parent
        ancestors.add(pid)
    return [
        pid
        for pid, process in table.items()
        if pid not in (1, os.getpid()) and pid not in ancestors and process.parent not in ancestors
    ]


def marked_processes(table: dict[int, Process], mark: str) -> list[int]:
    marked = []
    for pid in table:
        try:
            environment = Path("/proc", str(pid), "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in environment and pid != os.getpid():
            marked.append(pid)
    return marked


class Output:
    """Head and tail of what commands print."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        room = max(0, MAX_LOG // 2 - len(self.head))
        self.head += data[:room]
        self.tail += data[room:]
        if len(self.tail) > MAX_LOG:
            self.dropped += len(self.tail) - MAX_LOG // 2
            del self.tail[: -MAX_LOG // 2]

    def whole(self) -> bytes:
        gap = b"\n[... %d bytes left out ...]\n" % self.dropped if self.dropped else b""
        return bytes(self.head) + gap + bytes(self.tail)


class Sink:
    """A report that is a command's standard output; of an absurdly large one as much as shows that it is."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("wb")
        self.size = 0

    def add(self, data: bytes) -> None:
        self.file.write(data[: max(0, MAX_REPORT + 1 - self.size)])
        self.size += len(data)


def run_command(argv: list[str], workdir: str, environment: dict[str, str], deadline: float, streams: tuple[Any, Any]) -> Optional[int]:
    """The exit code (negative: a signal), None when the deadline passed, 127 when it cannot be started."""
    try:
        process = subprocess.Popen(
            [byte_path(argument) for argument in argv],
            cwd=byte_path(workdir),
            env={byte_path(key): byte_path(value) for key, value in environment.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        streams[1].add(f"cannot start {argv[0]}: {error.strerror}\n".encode("utf-8", "replace"))
        return 127
    with selectors.DefaultSelector() as selector:
        for pipe, sink in zip((process.stdout, process.stderr), streams):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ, sink)
        while process.poll() is None and time.monotonic() < deadline:
            pump(selector, min(0.05, max(0.0, deadline - time.monotonic())))
        code = process.poll()
        kill_group(process.pid)
        process.wait()
        # A child that left the group may hold the pipe open: what is in it is read, its end is not waited for.
        while selector.get_map() and pump(selector, 0):
            pass
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()
    return code


def pump(selector: selectors.BaseSelector, timeout: float) -> bool:
    """Moves what can be read; whether there was anything."""
    if not selector.get_map():
        time.sleep(timeout)
        return False
    ready = selector.select(timeout)
    for key, _ in ready:
        data = os.read(key.fd, 1 << 20)
        if data:
            key.data.add(data)
        else:
            selector.unregister(key.fileobj)
    return bool(ready)


def kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except OSError:
        pass


# ---- running the tests ----


FIXED = {
    "CI": "1",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "TZ": "UTC",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
}
DROPPED = ("FORCE_COLOR", "LC_ALL", "R2E_LOGS", "R2E_PATH", "R2E_KEEP_PROCESSES")


def run_tests(plan: dict[str, Any]) -> dict[str, Any]:
    """Runs every command and answers the TestReport (tests.json)."""
    started, cpu = time.monotonic(), cpu_seconds()
    deadline = started + plan["timeout_sec"]
    output, evidence = Output(), Evidence()
    codes: list[int] = []
    outcome = "completed"
    parser_of(plan["format"])
    seal = Seal()
    scratch = Path(tempfile.mkdtemp(prefix="r2e-", dir=scratch_root()))
    try:
        reports = scratch / "reports"
        reports.mkdir(mode=0o700)
        for command in plan["commands"]:
            code, parts = run_for_reports(plan, command, reports, deadline, output)
            seal.check()
            evidence.add(parts, code)
            if code is None:
                outcome = "timed_out"
                break
            codes.append(code)
            if code < 0 or code in (126, 127) or code in plan.get("faults", ()):
                outcome = "crashed"
    finally:
        kill_strays(f"R2E_RUN={scratch.name}")
        shutil.rmtree(scratch, ignore_errors=True)
        write_file("test-output.txt", output.whole())
    return {
        "schema": "r2e.tests/1",
        "outcome": outcome,
        **evidence.facts(),
        "exit_codes": codes,
        "cpu_sec": round(cpu_seconds() - cpu, 3),
        "wall_sec": round(time.monotonic() - started, 3),
    }


Parts = list[tuple[str, Optional[Report]]]


def run_for_reports(
    plan: dict[str, Any], command: dict[str, Any], reports: Path, deadline: float, output: Output
) -> tuple[Optional[int], Parts]:
    """Runs one command: its exit code, None where the time was up, and each report it should leave by its name."""
    run = reports.parent.name
    path = reports / command.get("report", "stdout")
    path.parent.mkdir(parents=True, exist_ok=True)
    places = [Place(plan["workdir"], place) for place in command.get("collect", [])]
    for place in places:
        place.clear()

    def fill(text: str) -> str:
        return text.replace("{report}", str(reports)).replace("{tests}", str(TESTS))

    sink = Sink(path) if command.get("stdout") else output
    argv = [fill(argument) for argument in command["argv"]]
    code = run_command(argv, plan["workdir"], environment_of(plan, fill, run), deadline, (sink, output))
    if isinstance(sink, Sink):
        sink.file.close()
    kill_strays(f"R2E_RUN={run}")
    parts = [(name, read_report(plan["format"], path)) for name in [command.get("report")] if name]
    for place in places:
        parts.extend(place.read(plan["format"]))
    return code, parts


class Evidence:
    """What the reports of all commands say together."""

    def __init__(self) -> None:
        self.report: Optional[Report] = None
        self.problem = self.lost = ""

    def add(self, parts: Parts, code: Optional[int]) -> None:
        for name, part in parts:
            if part is not None:
                self.report = self.report or Report()
                self.report.merge(part)
                self.problem = self.problem or (f"{name}: {part.error}" if part.error else "")
            elif code:
                self.lost = self.lost or f"{name}: the command left no report"
            else:
                self.problem = self.problem or f"{name}: the command left no report"

    def facts(self) -> dict[str, Any]:
        return {
            **parse_status(None if self.lost else self.report, self.lost or self.problem),
            "tests": self.report.tests if self.report else {},
            "unloaded": in_order(self.report.unloaded) if self.report else [],
        }


class Seal:
    """What lies beside this file: tested code that rewrites a list or a parser would grade itself."""

    def __init__(self) -> None:
        self.found = self.look()

    def check(self) -> None:
        now = self.look()
        changed = in_order(path for path in {*self.found, *now} if self.found.get(path) != now.get(path))
        if changed:
            raise Ungradable("grader_changed", f"the tests changed the grader's {changed[0]!r}")

    def look(self) -> dict[str, Any]:
        """Compiled Python is removed, since it would be run in place of its source."""
        found: dict[str, Any] = {}
        for folder, folders, files in os.walk(TESTS):
            if "__pycache__" in folders:
                folders.remove("__pycache__")
                shutil.rmtree(os.path.join(folder, "__pycache__"), ignore_errors=True)
            for name in [*folders, *files]:
                path = os.path.join(folder, name)
                mode = os.lstat(path).st_mode
                found[os.path.relpath(path, TESTS)] = (mode, file_digest(path) if stat.S_ISREG(mode) else "")
        return found


def file_digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


class Place:
    """Where a runner leaves reports in the work tree: every file that fits `glob`; without any the scope is unloaded."""

    def __init__(self, workdir: str, place: dict[str, str]) -> None:
        self.workdir = workdir
        self.scope = place["scope"]
        self.folder, _, name = place["glob"].rpartition("/")
        self.name = name_pattern(name)

    def files(self) -> list[str]:
        try:
            names = os.listdir(byte_path(os.path.join(self.workdir, self.folder)))
        except OSError:
            return []
        return [os.fsdecode(os.path.join(byte_path(self.folder), name)) for name in sorted(names) if self.name.fullmatch(name)]

    def clear(self) -> None:
        """What an earlier run left is no result of this one."""
        tree = Tree(self.workdir)
        for path in self.files():
            tree.delete(path)

    def read(self, form: str) -> list[tuple[str, Optional[Report]]]:
        found = [(path, read_report(form, Path(self.workdir, path), path)) for path in self.files()]
        if found:
            return found
        report = Report()
        report.unloaded.add(self.scope)
        return [(self.scope, report)]


def scratch_root() -> str:
    return next((folder for folder in ("/tmp", "/var/tmp") if os.access(folder, os.W_OK)), str(LOGS))


def parse_status(report: Optional[Report], problem: str) -> dict[str, str]:
    if report is None:
        return {"parse_status": "no_report", "parse_detail": problem}
    if report.error:
        return {"parse_status": "malformed", "parse_detail": problem}
    if not report.tests and not report.unloaded:
        return {"parse_status": "no_tests", "parse_detail": problem or "the report lists no test"}
    return {"parse_status": "ok"}


def environment_of(plan: dict[str, Any], fill: Callable[[str], str], run: str) -> dict[str, str]:
    environment = {key: value for key, value in os.environ.items() if key not in DROPPED}
    environment["PATH"] = os.environ.get("R2E_PATH") or os.environ.get("PATH", os.defpath)
    added = {key: fill(value) for key, value in plan["env"].items()}
    return {**environment, **FIXED, "R2E_RUN": run, **added}


def read_report(form: str, path: Path, name: str = "") -> Optional[Report]:
    """Only a regular file is a report. `name` is its path below the work tree, where it lies there."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(MAX_REPORT + 1)
    except OSError:
        return None
    return unreadable("the report is too large") if len(data) > MAX_REPORT else parse_report(form, data, name)


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


# ---- grading: contract §7.2 ----


def grade_tests(f2p: list[str], p2p: list[str], report: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    tests, codes = report["tests"], report["exit_codes"]
    measured = report["parse_status"] == "ok" and report["outcome"] != "timed_out"
    unresolved = [name for name in f2p if not measured or tests.get(name) != "PASSED"]
    regressions = [name for name in p2p if not measured or tests.get(name) != "PASSED"]
    untracked = untracked_failures(tests, report["unloaded"], [*f2p, *p2p])
    resolved = bool(measured and f2p and not unresolved and not regressions)
    command_resolved = resolved and report["outcome"] == "completed" and not untracked and not any(codes)
    f2p_rate = rate(f2p, unresolved, 0.0)
    p2p_rate = rate(p2p, regressions, 1.0 if measured else 0.0)
    binary = plan.get("reward") == "binary"
    return {
        "reward": float(resolved) if binary else round6(f2p_rate * p2p_rate),
        "resolution": resolution(rate(f2p, unresolved, 1.0 if measured else 0.0), p2p_rate),
        "resolved": resolved,
        "command_resolved": command_resolved,
        "eval_grade": command_resolved and bool(p2p),
        "f2p_total": len(f2p),
        "f2p_passed": len(f2p) - len(unresolved),
        "f2p_rate": round6(f2p_rate),
        "p2p_total": len(p2p),
        "p2p_passed": len(p2p) - len(regressions),
        "p2p_rate": round6(p2p_rate),
        "unresolved": unresolved[:SHOWN],
        "regressions": regressions[:SHOWN],
        "untracked_failed_count": len(untracked),
        "untracked_failed": untracked[:SHOWN],
        "parse_status": report["parse_status"],
        "outcome": report["outcome"],
        "runner": plan["runner"],
        "tests_parsed": len(tests),
        "exit_code": next((code for code in codes if code), 0) if codes else None,
    }


def rate(names: list[str], missed: list[str], when_empty: float) -> float:
    return (len(names) - len(missed)) / len(names) if names else when_empty


def round6(value: float) -> float:
    return math.floor(value * 1e6 + 0.5) / 1e6


def resolution(f2p_rate: float, p2p_rate: float) -> str:
    if p2p_rate < 1 or f2p_rate == 0:
        return "NO"
    return "FULL" if f2p_rate == 1 else "PARTIAL"


def untracked_failures(tests: dict[str, str], unloaded: list[str], tracked: list[str]) -> list[str]:
    failed = [name for name, status in tests.items() if status in ("FAILED", "ERROR")]
    outside = set(failed) - set(tracked) - parents_among(failed)
    return in_order(outside | set(unloaded))


def parents_among(names: list[str]) -> set[str]:
    """Of `pkg::A/b/c` these are `pkg::A` and `pkg::A/b`, where they are among the names themselves."""
    known, lengths = set(names), {len(name) for name in names}
    found: set[str] = set()
    for name in names:
        scope = name.find("::")
        ends = (match.start() for match in re.finditer("/", name)) if scope >= 0 else ()
        found.update(name[:end] for end in ends if end > scope and end in lengths and name[:end] in known)
    return found


# ---- diff tasks ----


GIT_SECONDS = 600
MAX_DIFF = 4 * MAX_UNITS
ATTRIBUTES = "* -text -ident -filter -working-tree-encoding !diff\n"
CONFIG = """[core]
repositoryformatversion = 0
bare = false
autocrlf = false
symlinks = true
filemode = true
quotePath = true
[user]
name = r2e
email = r2e@localhost
"""


class Git:
    """A repository of our own over the objects of the work tree's: nothing the agent configured takes part."""

    def __init__(self, scratch: Path, workdir: str) -> None:
        self.scratch = scratch
        self.workdir = workdir
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        self.environment.update(
            GIT_CONFIG_NOSYSTEM="1",
            GIT_CONFIG_GLOBAL="/dev/null",
            GIT_TERMINAL_PROMPT="0",
            GIT_NO_LAZY_FETCH="1",
            GIT_NO_REPLACE_OBJECTS="1",
            HOME=str(scratch),
            LC_ALL="C",
        )
        objects = self.run("-C", workdir, "rev-parse", "--git-path", "objects").decode("utf-8", "surrogateescape").strip()
        own = scratch / "repository"
        for folder in ("refs", "objects/info", "info"):
            (own / folder).mkdir(parents=True)
        (own / "config").write_text(CONFIG)
        (own / "HEAD").write_text("ref: refs/heads/base\n")
        (own / "info/attributes").write_text(ATTRIBUTES)
        (own / "objects/info/alternates").write_bytes(byte_path(os.path.join(workdir, objects)) + b"\n")
        self.here = (f"--git-dir={own}", f"--work-tree={workdir}")

    def run(self, *arguments: str) -> bytes:
        argv = ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", *arguments]
        output = self.scratch / "output"
        with output.open("wb") as file:
            done = subprocess.run(
                argv,
                cwd=self.workdir,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                timeout=GIT_SECONDS,
            )
        if done.returncode:
            raise Ungradable("git_failed", f"{' '.join(argv)}: {done.stderr.decode('utf-8', 'replace').strip()[-500:]}")
        if output.stat().st_size > MAX_DIFF:
            raise Ungradable("too_large", f"the diff has {output.stat().st_size} bytes")
        return output.read_bytes()

    def word(self, *arguments: str) -> str:
        return self.run(*self.here, *arguments).decode().strip()

    def base(self) -> str:
        """The one root of the history: the agent may have committed on top."""
        head = self.run("-C", self.workdir, "rev-parse", "--verify", "HEAD").decode().strip()
        roots = self.word("rev-list", "--max-parents=0", head).split()
        if len(roots) != 1:
            raise Ungradable("no_base", f"the history has {len(roots)} roots, not one")
        return roots[0]


def diff_of(plan: dict[str, Any]) -> bytes:
    """The agent's diff against the base, untracked files included."""
    scratch = Path(tempfile.mkdtemp(prefix="r2e-", dir=scratch_root()))
    try:
        git = Git(scratch, plan["workdir"])
        tree = git.word("rev-parse", "--verify", "--end-of-options", (plan.get("base") or git.base()) + "^{tree}")
        git.word("update-ref", "refs/heads/base", git.word("commit-tree", "-m", "base", tree))
        git.word("read-tree", tree)
        git.word("add", "-A", "--", ".")
        return git.run(*git.here, *plan["diff"])
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def grade_diff(plan: dict[str, Any]) -> dict[str, Any]:
    oracle = (TESTS / "oracle.diff").read_bytes().decode("utf-8", "replace")
    found = similarity(plan["metric"], oracle, diff_of(plan).decode("utf-8", "replace"))
    return {"reward": found["similarity"] or 0.0, "metric": plan["metric"], **found}


# ---- commands ----


def read_plan(name: str) -> Any:
    path = TESTS / name
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def grade() -> None:
    details: dict[str, Any] = {"reward": 0.0, "status": "ungradable", "grader_version": VERSION}
    try:
        run, diff, plan = read_plan("run.json"), read_plan("diff.json"), read_plan("restore.json")
        if run is None and diff is None:
            raise Ungradable("bad_plan", "there is neither run.json nor diff.json")
        parts = []
        lost: list[str] = []
        if diff is not None:
            found = grade_diff(diff)
            details.update(found)
            parts.append(found["reward"])
        if run is not None:
            if plan is not None:
                lost = restore(run["workdir"], plan)
            lists = [read_plan(name) or [] for name in ("f2p.json", "p2p.json")]
            report = run_tests(run)
            report["unloaded"] = in_order({*report["unloaded"], *lost})
            if plan and plan.get("left"):
                details["left_changed"] = changed_data(run["workdir"], plan)
            write_json("tests.json", report)
            found = grade_tests(lists[0], lists[1], report, run)
            details.update(found)
            details["status"] = test_status(report)
            if "parse_detail" in report:
                details["detail"] = report["parse_detail"]
            parts.append(found["reward"])
        details["reward"] = math.prod(parts)
    except Ungradable as error:
        details.update(reward=0.0, status=error.status, detail=error.detail)
    except Exception as error:  # whatever the tree did to us: a reward of 0 and the reason
        details.update(reward=0.0, status="grader_error", detail=f"{type(error).__name__}: {error}")
    write_reward(details)


def test_status(report: dict[str, Any]) -> str:
    if report["outcome"] == "timed_out":
        return "timed_out"
    return "graded" if report["parse_status"] == "ok" else "ungradable"


def write_reward(details: dict[str, Any]) -> None:
    """reward.txt first, reward.json last, each whole or not at all."""
    reward = min(1.0, max(0.0, float(details["reward"])))
    details["reward"] = reward
    flat = {key: value for key, value in details.items() if key in FLAT and value is not None}
    write_json("reward-details.json", details)
    write_file("reward.txt", f"{json.dumps(reward)}\n".encode())
    write_json("reward.json", {"reward": reward, **{key: float(value) for key, value in flat.items()}})


FLAT = ("f2p_rate", "p2p_rate", "resolved", "command_resolved", "similarity")


def write_json(name: str, value: Any) -> None:
    write_file(name, (json.dumps(value) + "\n").encode())


def write_file(name: str, content: bytes) -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".r2e-", dir=LOGS)
    with open(handle, "wb") as file:
        file.write(content)
        os.fchmod(file.fileno(), 0o644)
    target = LOGS / name
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    os.rename(temporary, target)


def main(arguments: list[str]) -> int:
    if arguments == ["grade"]:
        grade()
    elif len(arguments) in (3, 4) and arguments[0] == "parse":
        form, file, *path = arguments[1:]
        print(json.dumps(parse_report(form, Path(file).read_bytes(), *path).as_json()))
    elif len(arguments) == 4 and arguments[0] == "similarity":
        oracle, prediction = (Path(name).read_bytes().decode("utf-8", "replace") for name in arguments[2:])
        print(json.dumps(similarity(arguments[1], oracle, prediction)))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
