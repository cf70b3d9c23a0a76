"""Records the context switches of a process with perf: all of them with their instants, and of some the call
stack, by a copy of it from which the debugger's unwinder passes libraries without frame pointers.

Debian's libc has none: by frame pointers, every wait for a condition (pthread_cond_wait) ends at the futex.
Two kinds of stack at one switch cannot be had: Linux 6.2 and newer prepares the data of both samples once,
and the size of one is wrong.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Timer

from assay.base.errors import HostError
from assay.base.privileges import Lacking
from assay.system.host.perf.control import WAITING, ControlledRecord
from assay.system.host.perf.program import complaint, perf_program, refusal, started
from assay.system.host.perf.switch_records import (
    FIELDS,
    FrameNames,
    Record,
    switch_records,
)
from assay.system.host.privileges import lacks

_MOST_STACKS = 5_000
"""Copies of stacks in a recording: 41 MB, and some seconds to unwind."""
_MOST_RECORDS = 400_000
"""Context switches in a recording. A busier server is recorded for a shorter time."""
_COPIED_BYTES = 8192
"""Functions of InnoDB keep 4 kB and more of their own on the stack: with half of this, one in eight waits of
a small buffer pool had no caller.
"""
_BUFFERS_BYTES = 64 << 20
_BEGINS_S, _ENDS_S = 5.0, 20.0
_READ_S = 180.0


class SwitchRecording:
    """A recording of all context switches of a process in `file`.

    `rate` is how many it makes in a second, `threads` how many threads it has, `longest_s` how long it may
    take: by these the recording is kept small. Instants are those of the monotonic clock.
    """

    def __init__(self, pid: int, file: Path, *, rate: float, threads: int, longest_s: float) -> None:
        self.lacking: Lacking | None = lacks("perf")
        self._file = file
        self._seconds = min(longest_s, _MOST_RECORDS / max(rate, 1.0))
        self.every = max(1, round(rate * self._seconds / _MOST_STACKS))
        pages = _pages(_BUFFERS_BYTES // max(1, threads))
        self._command = (
            *(perf_program(), "record", "--quiet", "--no-buildid", "--no-buildid-cache", WAITING),
            *("--event", "context-switches", "--count", str(self.every), "--switch-events"),
            *("--call-graph", f"dwarf,{_COPIED_BYTES}", "--clockid", "CLOCK_MONOTONIC"),
            *("--mmap-pages", str(pages), "--pid", str(pid), "--output", str(file)),
        )
        self._perf = ControlledRecord(self.lacking)
        self._timer: Timer | None = None
        self.begin_ns = self.end_ns = 0

    def begin(self) -> None:
        """Starts perf, and returns once it records. Raises HostError when it cannot."""
        if self.lacking is not None:  # it would record nothing: a switch is an event of the kernel
            raise refusal("context switches are events of the kernel", self.lacking)
        self._perf.start(self._command, self._seconds + 2 * _BEGINS_S + _ENDS_S)
        self._perf.begin()
        self.begin_ns = time.monotonic_ns()
        self._timer = Timer(self._seconds, self.pause)
        self._timer.daemon = True
        self._timer.start()

    def pause(self) -> None:
        """Stops recording; the file is written by `end`."""
        if self.end_ns or not self.begin_ns:
            return
        self.end_ns = time.monotonic_ns()
        with suppress(OSError):
            self._perf.tell("disable")

    def end(self) -> None:
        """Asks perf to end, and does not wait for it."""
        if self._timer is not None:
            self._timer.cancel()
        self.pause()
        self._perf.process.send_signal(signal.SIGINT)

    def records(self, names: FrameNames) -> Iterator[Record]:
        """Yields the records. Raises HostError when perf wrote none, or cannot read them."""
        process = self._perf.process
        try:
            process.wait(_ENDS_S)
        except subprocess.TimeoutExpired:
            raise HostError(f"perf record had not ended {_ENDS_S:g} s after it was asked to") from None
        if not self._file.exists() or not self._file.stat().st_size:
            raise refusal(complaint(process), self.lacking)
        yield from switch_records(_text(self._file), names)

    def remove(self) -> None:
        """Ends perf if it still runs, and removes its file."""
        self.kill()
        self._file.unlink(missing_ok=True)

    def kill(self) -> None:
        """Ends perf at once, if it still runs."""
        if self._timer is not None:
            self._timer.cancel()
        self._perf.kill()


def _pages(bytes_: int) -> int:
    """Returns a power of two of pages, as perf wants them: from 64 kB to 4 MB."""
    return max(16, min(1024, 1 << max(0, (bytes_ // 4096).bit_length() - 1)))


def _text(file: Path) -> Iterator[str]:
    """Yields the lines of `perf script`; of what it cannot read within a time, the lines so far."""
    shown = ("--ns", "--show-switch-events", "--show-lost-events", "--no-inline", "--fields", FIELDS)
    command = (perf_program(), "script", "--input", str(file), *shown)
    process = started(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    limit = Timer(_READ_S, process.kill)
    limit.daemon = True
    limit.start()
    try:
        for line in process.stdout:
            yield line.decode(errors="replace")
        if (code := process.wait(_ENDS_S)) != 0:
            why = f"took more than {_READ_S:g} s" if code < 0 else f"ended with exit code {code}"
            raise HostError(f"perf script {why}")
    finally:
        limit.cancel()
        process.kill()
        process.wait(_ENDS_S)
        process.stdout.close()
