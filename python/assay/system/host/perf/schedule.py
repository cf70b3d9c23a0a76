"""Reads how long threads ran and how long they waited for a processor: `/proc/PID/task/TID/schedstat`.

Source: Documentation/scheduler/sched-stats.rst of Linux; it is there without CONFIG_SCHEDSTATS too.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from assay.system.host.machine import Machine


@dataclass(frozen=True)
class Scheduled:
    """Sums since a thread began: nanoseconds on a processor and in wait for one, and how often it ran."""

    on_cpu_ns: int
    delayed_ns: int
    times: int


@dataclass(frozen=True)
class ScheduleReading:
    """The sums of all threads of a process at an instant of the monotonic clock."""

    at_ns: int
    threads: Mapping[int, Scheduled]

    def since(self, before: ScheduleReading) -> dict[int, Scheduled]:
        """Returns the growth of each thread; of one that is new, all of it."""
        none = Scheduled(0, 0, 0)
        found = {}
        for tid, now in self.threads.items():
            old = before.threads.get(tid, none)
            if now.on_cpu_ns < old.on_cpu_ns:  # the number was given to a new thread
                old = none
            found[tid] = Scheduled(
                now.on_cpu_ns - old.on_cpu_ns,
                max(0, now.delayed_ns - old.delayed_ns),
                max(0, now.times - old.times),
            )
        return found


def read_schedule(pid: int, machine: Machine | None = None) -> ScheduleReading:
    """Returns the sums of the threads that can be read; of none where the kernel has no such file."""
    at = machine or Machine()
    found = {}
    for name in at.names(f"/proc/{pid}/task"):
        fields = (at.text(f"/proc/{pid}/task/{name}/schedstat") or "").split()
        if len(fields) == 3 and name.isdecimal() and all(field.isdecimal() for field in fields):
            found[int(name)] = Scheduled(*map(int, fields))
    return ScheduleReading(time.monotonic_ns(), found)
