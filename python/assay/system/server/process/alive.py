"""Identifies processes by pid and start time, since the kernel reuses pids."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ProcessId:
    """The lasting identity of a process: its pid, and its start in clock ticks since boot (/proc/PID/stat,
    field 22).
    """

    pid: int
    start_ticks: int

    @classmethod
    def of(cls, pid: int) -> ProcessId | None:
        """Returns the identity of the process with this pid; None when there is none, or only its exit status
        is left.
        """
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] in "ZX" else cls(pid, int(fields[19]))

    def alive(self) -> bool:
        return ProcessId.of(self.pid) == self

    def stop(self, *, patience_s: float) -> None:
        """Sends SIGTERM, and SIGKILL after `patience_s`; returns when the process has ended. It need not be a
        child process.
        """
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return
        try:
            if (
                not self.alive()
            ):  # the handle holds the pid, so what is checked here is what is signalled below
                return
            ended = select.poll()
            ended.register(handle, select.POLLIN)
            for signal_number, wait_s in ((signal.SIGTERM, patience_s), (signal.SIGKILL, 10.0)):
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handle, signal_number)
                if ended.poll(wait_s * 1000):
                    return
        finally:
            os.close(handle)
