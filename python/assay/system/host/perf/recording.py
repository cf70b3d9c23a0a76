"""Records samples of a process, by events of our own or with `perf record`, for a bounded time."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from assay.base.errors import HostError
from assay.base.privileges import Lacking
from assay.system.host.limits import own_limits
from assay.system.host.perf.control import WAITING, ControlledRecord
from assay.system.host.perf.perf_data import PerfData, read_perf_data
from assay.system.host.perf.program import complaint, perf_program, refusal
from assay.system.host.perf.sampling import StackSampler
from assay.system.host.perf.unwinding import machine_registers
from assay.system.host.privileges import lacks

_ENDS_S = 20.0
_WRITTEN_BYTES = 4096
"""More than the header and the names of files: samples are in the file."""


class StackRecording(Protocol):
    """Samples of one process that are taken from `begin` to `end`.

    `lacking`: the privilege for want of which the kernel is not seen. `by_thread`: the threads of the process
    were sampled one by one, which costs it time.
    """

    lacking: Lacking | None
    by_thread: bool

    def begin(self) -> None:
        """Returns once samples are taken. Raises HostError when that fails."""

    def end(self) -> None:
        """Ends it. Raises HostError where nothing was recorded."""

    def kill(self) -> None:
        """Ends it at once, whatever state it is in."""

    def data(self, roots: Iterable[Path]) -> PerfData:
        """Returns the samples. `roots` are folders in which the files of the process are looked for."""


def started_recording(pid: int, file: Path, period_ns: int, longest_s: float) -> StackRecording:
    """Returns a recording that begins when it is told to: by our own events, which tell the callers of code
    without frame pointers, or by perf where these may not be had. Raises HostError where neither may.
    """
    machine = machine_registers()
    if machine is not None and lacks("perf") is None:
        own = StackSampler(pid, _processors(pid), period_ns, machine)
        with suppress(OSError):  # a filter of system calls, as in a container
            own.start()
            return own
    found = Recording(pid, file, period_ns, longest_s)
    found.start()
    return found


class Recording:
    """Samples of one process in a file of `perf record`, one for each `period_ns` of its processor time, with
    call stacks by frame pointers.

    The processors that it may run on are sampled, whoever uses them, and `read_perf_data` keeps what is of
    the process. `by_thread`: we may not do that, and its threads are sampled one by one. The kernel then sets
    a timer at every context switch: 20 % more processor time of a query (KVM, Linux 6.18).

    A process that lacks the privilege `perf` sees its own programs outside the kernel alone, if the kernel
    allows that: `lacking` then says why.
    """

    def __init__(self, pid: int, file: Path, period_ns: int, longest_s: float) -> None:
        self.lacking: Lacking | None = lacks("perf")
        self.by_thread = self.lacking is not None
        self._pid, self._file, self._period_ns, self._longest_s = pid, file, period_ns, longest_s
        self._program = perf_program()
        self._perf = ControlledRecord(self.lacking)

    def start(self) -> None:
        """Starts perf without recording, so that what it reads first is read before the load counts."""
        self._perf.start(self._command(), self._longest_s)

    def begin(self) -> None:
        """Returns once perf records, after `start`. Raises HostError when it does not."""
        try:
            self._perf.begin()
        except HostError:
            if self.by_thread:
                raise
            self.by_thread = True
            self.start()
            self._perf.begin()

    def _command(self) -> tuple[str, ...]:
        return (
            *(self._program, "record", "--quiet", "--no-buildid", "--no-buildid-cache", WAITING),
            *("--event", "cpu-clock" if self.lacking is None else "cpu-clock:u"),
            *("--count", str(self._period_ns), "--call-graph", "fp", "--output", str(self._file)),
            *(("--pid", str(self._pid)) if self.by_thread else ("--cpu", _listed(_processors(self._pid)))),
        )

    def end(self) -> None:
        """Stops perf, which writes the rest of its buffers. Raises HostError where it recorded nothing."""
        process = self._perf.process
        process.send_signal(signal.SIGINT)
        try:
            process.wait(_ENDS_S)
        except subprocess.TimeoutExpired:
            raise HostError(f"perf record had not ended {_ENDS_S:g} s after it was asked to") from None
        finally:
            self.kill()
        if not self._file.exists() or self._file.stat().st_size <= _WRITTEN_BYTES:
            raise refusal(complaint(process), self.lacking)

    def kill(self) -> None:
        """Ends perf at once, if it still runs."""
        self._perf.kill()

    def data(self, roots: Iterable[Path]) -> PerfData:
        """Returns the samples, and removes the file."""
        try:
            return read_perf_data(self._file, self._pid)
        finally:
            self._file.unlink(missing_ok=True)


def _processors(pid: int) -> list[int]:
    """Returns the processors that a process may run on."""
    try:
        return sorted(os.sched_getaffinity(pid))
    except OSError:
        return sorted(own_limits().usable)


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
