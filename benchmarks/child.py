"""Runs one process to its end, and records its output and its resources."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

_LOOK_MS = 50


class ContestantFailed(Exception):
    """Raised when a contestant could not complete its cell; the message is its last output."""


@dataclass(frozen=True)
class Child:
    """The output and resources of a process that has ended."""

    stdout: str
    stderr: str
    exit_code: int
    wall_s: float
    cpu_s: float  # user and system time of the whole process, set-up included
    rss_mb: float  # peak resident set, to within what it grew in its last 50 ms
    # CPU time of its threads by name, to within their last 50 ms; empty unless asked for.
    thread_cpu_s: Mapping[str, float] = field(default_factory=dict)


def run_child(
    command: Sequence[str | Path],
    *,
    stdin: bytes = b"",
    limit_s: float = 300.0,
    env: Mapping[str, str] | None = None,
    by_thread: bool = False,
) -> Child:
    """Runs a process to its end; after `limit_s` kills it and raises ContestantFailed. `env` is added to this
    environment. Where this program is interrupted, the process is ended first.

    `by_thread` adds the CPU time of each of its threads.

    The peak memory is read from the process's own `VmHWM` while it runs: `ru_maxrss` of a child begins with
    what its launcher held before the exec.
    """
    with (
        tempfile.TemporaryFile() as said,
        tempfile.TemporaryFile() as told,
        tempfile.TemporaryFile() as given,
    ):
        given.write(stdin)
        given.seek(0)
        start = time.monotonic()
        process = subprocess.Popen(
            list(command), stdin=given, stdout=said, stderr=told, env={**os.environ, **(env or {})}
        )
        threads: dict[str, float] = {}
        try:
            rss_kb = _watch(process.pid, start + limit_s, threads if by_thread else None)
        except BaseException:
            _end(process)
            raise
        timed_out = time.monotonic() >= start + limit_s
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)  # reaped here, so that Popen must not try
        said.seek(0)
        told.seek(0)
        child = Child(
            stdout=said.read().decode(errors="replace"),
            stderr=told.read().decode(errors="replace"),
            exit_code=process.returncode,
            wall_s=wall_s,
            cpu_s=usage.ru_utime + usage.ru_stime,
            rss_mb=rss_kb * 1024 / 1e6,
            thread_cpu_s=threads,
        )
    if timed_out:
        raise ContestantFailed(f"not done after {limit_s:.0f} s")
    return child


def well_ended(child: Child) -> Child:
    """Returns a process that exited with 0. Raises ContestantFailed with its last words for another."""
    if child.exit_code != 0:
        fatal = re.findall(r"FATAL: (.*)", child.stdout + child.stderr)
        words = fatal[0] if fatal else last_words(child.stderr, child.stdout)
        raise ContestantFailed(words or f"exit code {child.exit_code}")
    return child


def last_words(*texts: str) -> str:
    """Returns the last 1,000 letters of the first text that is not empty: an error with the log behind it."""
    return next((text.strip()[-1000:] for text in texts if text.strip()), "")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process that Ctrl-C, which goes to all programs of a terminal, has not reached."""
    for ask, wait_s in ((process.poll, 1.0), (process.terminate, 60.0), (process.kill, None)):
        ask()
        with suppress(subprocess.TimeoutExpired):
            process.wait(wait_s)
            return


@contextmanager
def meanwhile(
    command: Sequence[str | Path],
    said: Path,
    told: Path,
    *,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    ends_s: float = 60.0,
) -> Iterator[subprocess.Popen[bytes]]:
    """Has a process run beside the block, its output and its errors in these files, and waits for its end.

    Raises ContestantFailed, with its last words, where it fails or does not end within `ends_s` of the block.
    """
    with tempfile.TemporaryFile() as given, said.open("wb") as output, told.open("wb") as errors:
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(
            list(command), stdin=given, stdout=output, stderr=errors, env={**os.environ, **(env or {})}
        )
        failed = None
        try:
            yield process
            process.wait(ends_s)
        except subprocess.TimeoutExpired:
            failed = ContestantFailed(f"not done {ends_s:.0f} s after its load")
        except ContestantFailed as error:
            failed = error
        finally:
            ended = process.poll()
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(ends_s)
            process.kill()
            process.wait()
    if ended:
        raise ContestantFailed(last_words(told.read_text(), said.read_text()))
    if failed is not None:
        raise failed


def used_s(pids: Iterable[int]) -> float:
    """Returns the processor time that processes have used so far; one that has ended counts as none."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _watch(pid: int, deadline: float, threads: dict[str, float] | None) -> int:
    """Waits for the end, or kills the process at the deadline; returns its peak resident set in KiB, and
    fills `threads`.
    """
    peak_kb = 0
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        # A short look first: small processes are over soon.
        wait_ms = 5
        while not poll.poll(wait_ms):
            peak_kb = max(peak_kb, _peak_kb(pid))
            if threads is not None:
                threads.update(_thread_cpu_s(pid))
            wait_ms = _LOOK_MS
            if time.monotonic() >= deadline:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                break
    finally:
        os.close(handle)
    return peak_kb


def _peak_kb(pid: int) -> int:
    try:
        found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found.group(1)) if found else 0


def _thread_cpu_s(pid: int) -> dict[str, float]:
    """Returns the CPU time of each thread by its name, without threads that are just ending."""
    found = {}
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            name = (task / "comm").read_text().strip()
            found[name] = int((task / "schedstat").read_text().split()[0]) / 1e9
        except (OSError, IndexError):
            continue
    return found
