"""Checks what studies need of this machine. A new check is its function and a line in CHECKS."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.base.carried import checkout
from assay.base.errors import AssayError
from assay.base.wording import sized
from assay.system.engine import FOR_MEASURING, engine_build
from assay.system.host import own_limits, perf
from assay.system.server import can_share_blocks, find_build, home, nearest_directory, space_for_servers
from assay.system.server.flavour import FLAVOURS
from assay.system.server.process import server_account, why_as_root

GIB = 2**30
LEAST_DISK = 5 * GIB  # a small dataset, its snapshot, one restored copy, redo logs
LEAST_MEMORY = 700 << 20  # quickstart with its report
LEAST_TASKS = 500  # a server with 256 connections, the engine, the lab
LEAST_FILE = 256 << 20  # the redo log or the system tablespace of a small server
LEAST_FILES = 4096  # 1024 connections, on both ends when the engine runs here too


@dataclass(frozen=True)
class Finding:
    """The outcome of one check. An `optional` thing may be missing: studies run without it."""

    name: str
    outcome: Literal["ok", "missing", "optional"]
    found: str
    how_to_get: str | None = None


def examine() -> list[Finding]:
    """Returns the findings of every check, in order."""
    return [finding for check in CHECKS for finding in check()]


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    fits = sys.version_info >= (3, 11)
    yield Finding("python", "ok" if fits else "missing", version, None if fits else "Python 3.11 or newer")


def _engine() -> Iterator[Finding]:
    try:
        build = engine_build()
    except AssayError as error:
        yield _missing("engine", error)
        return
    advice = []
    if build.newer is not None:
        advice.append(f"{build.newer} is newer than this engine: run make engine")
    if build.kind and build.kind not in FOR_MEASURING:
        get = "build it with make engine" if checkout() else "install the wheel of a release"
        advice.append(f"for measuring, {get}: this build costs more processor time a query")
    outcome: Literal["ok", "optional"] = "optional" if advice else "ok"
    yield Finding("engine", outcome, f"{build.path} {build.version}", "; ".join(advice) or None)


def _servers() -> Iterator[Finding]:
    findings = []
    for name in FLAVOURS:
        try:
            findings.append(Finding(f"server {name}", "ok", str(find_build(name))))
        except AssayError as error:
            findings.append(_missing(f"server {name}", error))
    one_is_here = any(finding.outcome == "ok" for finding in findings)
    for finding in findings:
        lacking = finding.outcome == "missing" and one_is_here
        yield Finding(finding.name, "optional", finding.found, finding.how_to_get) if lacking else finding


def _account() -> Iterator[Finding]:
    try:
        account = server_account()
    except AssayError as error:
        yield _missing("server account", error)
        return
    said = f"servers run as {account.name}" if account else "servers run as you"
    if account is None and os.geteuid() == 0:
        said = f"servers run as root: {why_as_root()}"
    yield Finding("server account", "ok", said)


def _home() -> Iterator[Finding]:
    place, existing = home(), nearest_directory(home())
    if (obstacle := _not_a_directory(place)) is not None:
        advice = "set ASSAY_HOME to a folder of yours, on the disk to be measured"
        yield Finding("home", "missing", f"{obstacle} is not a directory", advice)
    elif os.access(existing, os.W_OK | os.X_OK):
        yield Finding("home", "ok", f"{place} can be written")
    else:
        advice = "set ASSAY_HOME to a folder of yours, on the disk to be measured"
        yield Finding("home", "missing", f"{existing} cannot be written", advice)


def _disk() -> Iterator[Finding]:
    room = space_for_servers(home())
    fits = room.free_bytes >= LEAST_DISK
    which = f"left by the quota of {room.quota_of}" if room.quota_of else "free"
    advice = None if fits else f"free {LEAST_DISK // GIB} GiB, or set ASSAY_HOME to a folder on another disk"
    found = f"{room.free_bytes / GIB:.1f} GiB {which} for {home()}"
    yield Finding("disk space", "ok" if fits else "missing", found, advice)


def _memory() -> Iterator[Finding]:
    limits = own_limits()
    available, of = limits.available_bytes, limits.memory_of
    if available is None:
        needs = "see that 700 MiB are free: a small study and its report need as much"
        yield Finding("memory", "optional", "the kernel does not say how much is available", needs)
        return
    fits = available >= LEAST_MEMORY
    within = f" within {of}" if of else ""
    advice = None if fits else "end other programs; a small study and its report need 700 MiB"
    yield Finding(
        "memory", "ok" if fits else "missing", f"{available / GIB:.1f} GiB available{within}", advice
    )


def _processors() -> Iterator[Finding]:
    limits = own_limits()
    count = limits.processors
    advice = (
        None if count > 1 else "with one processor, server and generator take turns: treat results with care"
    )
    said = f"{count}, by a quota of {limits.quota:.3g}" if limits.quota else str(count)
    yield Finding("processors", "ok" if count > 1 else "optional", said, advice)


def _tasks() -> Iterator[Finding]:
    left = own_limits().tasks
    if left is not None and left < LEAST_TASKS:
        advice = "raise pids.max of the control group; each thread of server and generator is a task"
        yield Finding("tasks", "optional", f"{left} may be started", advice)


def _open_files() -> Iterator[Finding]:
    most = own_limits().open_files
    fits = most is None or most >= LEAST_FILES
    advice = (
        None if fits else f"raise the limit, as with `ulimit -Hn {LEAST_FILES}`, for 1024 threads and more"
    )
    shown = "no limit, or one that this process may raise" if most is None else f"limit {most}"
    yield Finding("open files", "ok" if fits else "optional", shown, advice)


def _file_size() -> Iterator[Finding]:
    most = own_limits().file_bytes
    if most is not None:
        fits = most >= LEAST_FILE
        advice = "raise it, as with `ulimit -f unlimited`: a server is killed where a file grows beyond it"
        found = f"files may have {sized(most)} (ulimit -f)"
        yield Finding("file size", "optional" if fits else "missing", found, advice)


def _reflink() -> Iterator[Finding]:
    place = nearest_directory(home())
    if can_share_blocks(place):
        yield Finding("reflink", "ok", f"datasets under {home()} are restored without copying")
    else:
        advice = "XFS or Btrfs for ASSAY_HOME makes every restore of a dataset immediate; else it is copied"
        yield Finding("reflink", "optional", f"the file system of {place} copies", advice)


def _profile() -> Iterator[Finding]:
    found, remedy = perf.profile_readiness()
    advice = None if remedy is None else f"needed only for assay run --why: {remedy}"
    yield Finding("profile", "ok" if remedy is None else "optional", found, advice)


def _sysbench() -> Iterator[Finding]:
    path = shutil.which("sysbench")
    if path:
        yield Finding("sysbench", "ok", path)
    else:
        advice = "needed only to compare assay with it: apt-get install sysbench"
        yield Finding("sysbench", "optional", "not installed", advice)


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    _python,
    _engine,
    _servers,
    _account,
    _home,
    _disk,
    _memory,
    _processors,
    _tasks,
    _open_files,
    _file_size,
    _reflink,
    _profile,
    _sysbench,
)


def _missing(name: str, error: AssayError) -> Finding:
    return Finding(name, "missing", error.message, error.hint)


def _not_a_directory(path: Path) -> Path | None:
    """Returns the file that stands where the path needs a directory; None without one."""
    there = next(place for place in (path, *path.parents) if place.exists())
    return None if there.is_dir() else there
