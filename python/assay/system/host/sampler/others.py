"""The sampler `others`: processor time of programs that are not part of the measurement. Source: /proc/stat,
/proc/PID/stat of all (proc(5)).
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from assay.design.folder.others import (
    ELAPSED,
    IDLE,
    IRQ,
    KERNEL,
    OWN,
    PROGRAM_MARK,
    SOURCE,
    STEAL,
    USED,
    WORTH_NAMING_US,
)
from assay.system.host.machine import Machine
from assay.system.host.sampler.cpu import US_PER_TICK

_KERNEL_THREAD = 0x0020_0000  # PF_KTHREAD of the flags
_USED, _IDLE, _IRQ, _STEAL = (0, 1, 2), (3, 4), (5, 6), 7
_MOST_LOOKS = 3
KERNEL_THREADS_A_READING = 300
"""Kernel threads read at a time; with more of them they are read in turns, and their time is counted some
seconds late.
"""


class OthersSource:
    """Source `others`: processor time of the whole machine and of the measurement at one instant, in µs over
    all processors.

    Of the machine: `used_us_total` (programs, and the kernel for them, by ticks), `idle_us_total`,
    `irq_us_total`, `steal_us_total`, `elapsed_us_total`, and the number of `processors`. Of it:
    `own_us_total` was the measurement's, `kernel_us_total` that of kernel threads, where they are seen, and
    `program.PID.NAME_us_total` that of each other program that worked, from the first reading on.

    The measurement is this process, all processes it started, and `servers`: running servers that are
    measured. With `servers` None, a measured server runs on this machine in an unknown process, and
    `own_us_total` is left out.
    """

    name = SOURCE

    def __init__(self, servers: Collection[int] | None = (), machine: Machine | None = None) -> None:
        self._machine = machine or Machine()
        self._proc = str(self._machine.path("/proc"))
        self._there: set[int] = set()
        self._servers = servers
        self._me = os.getpid()
        self._kernel: dict[int, float] = {}
        self._kernel_us = 0.0
        self._turn = 0
        self._first: dict[str, float] | None = None

    def read(self) -> dict[str, float]:
        values, processes = self._look()
        own = self._own(processes)
        values[KERNEL] = self._of_kernel(processes)
        if self._servers is not None:
            # A process that has ended is in the times of the one that waited for it.
            values[OWN] = sum(processes[pid].own_us + processes[pid].ended_us for pid in own)
        rest = {
            f"{PROGRAM_MARK}{one.pid}.{one.program}_us_total": one.own_us
            for one in processes.values()
            if one.pid not in own and not one.flags & _KERNEL_THREAD
        }
        if self._first is None:
            self._first = rest
        for name, used_us in rest.items():
            since_us = used_us - self._first.get(name, 0.0)
            if since_us > WORTH_NAMING_US:
                values[name] = since_us
        return values

    def _look(self) -> tuple[dict[str, float], dict[int, _Process]]:
        """Reads the time of the processors and of every process.

        Reads again when a process of the measurement ended meanwhile, whose time would otherwise be missed or
        counted twice.
        """
        for _ in range(_MOST_LOOKS):
            before = self._process(self._me)
            values = self._processors()
            processes = {one.pid: one for one in self._processes()}
            after = self._process(self._me)
            if before is None or after is None or before.ended_us == after.ended_us:
                break
        return values, processes

    def _of_kernel(self, processes: Mapping[int, _Process]) -> float:
        """Returns the time of kernel threads, which never falls although an ended thread's counter
        disappears.
        """
        now = {one.pid: one.own_us for one in processes.values() if one.flags & _KERNEL_THREAD}
        self._kernel_us += sum(max(0.0, used - self._kernel.get(pid, 0.0)) for pid, used in now.items())
        self._kernel = {pid: used for pid, used in self._kernel.items() if pid in self._there} | now
        return self._kernel_us

    def _processors(self) -> dict[str, float]:
        lines = (self._machine.text("/proc/stat") or "").splitlines()
        now_us = time.monotonic_ns() / 1000
        count = sum(line.startswith("cpu") and line[3:4].isdigit() for line in lines)
        ticks = [int(field) * US_PER_TICK for field in lines[0].split()[1:]]
        return {
            USED: sum(ticks[at] for at in _USED),
            IDLE: sum(ticks[at] for at in _IDLE),
            IRQ: sum(ticks[at] for at in _IRQ),
            STEAL: ticks[_STEAL],
            ELAPSED: now_us * count,
            "processors": float(count),
        }

    def _processes(self) -> Iterator[_Process]:
        """Yields all processes, and a share of the kernel threads in turns.

        A large machine has thousands of kernel threads, so each reading takes some of them.
        """
        with os.scandir(self._proc) as entries:
            self._there = {int(entry.name) for entry in entries if entry.name.isdigit()}
        rounds = -(-len(self._kernel) // KERNEL_THREADS_A_READING)
        self._turn += 1
        for pid in self._there:
            if pid in self._kernel and rounds > 1 and (pid + self._turn) % rounds:
                continue
            if (found := self._process(pid)) is not None:
                yield found

    def _process(self, pid: int) -> _Process | None:
        # Read plainly: with a thousand processes the ways of pathlib would be a load of their own.
        try:
            with open(f"{self._proc}/{pid}/stat", "rb", buffering=0) as file:  # noqa: PTH123
                text = file.read().decode(errors="replace")
        except OSError:
            return None
        program, mark, rest = text.partition("(")[2].rpartition(")")
        if not mark:
            return None
        fields = rest.split(None, 15)
        user, system, children_user, children_system = map(int, fields[11:15])
        return _Process(
            pid=pid,
            parent=int(fields[1]),
            program=program,
            flags=int(fields[6]),
            own_us=(user + system) * US_PER_TICK,
            ended_us=(children_user + children_system) * US_PER_TICK,
        )

    def _own(self, processes: Mapping[int, _Process]) -> set[int]:
        children: dict[int, list[int]] = {}
        for one in processes.values():
            children.setdefault(one.parent, []).append(one.pid)
        found: set[int] = set()
        ahead = [self._me, *(self._servers or ())]
        while ahead:
            pid = ahead.pop()
            if pid in processes and pid not in found:
                found.add(pid)
                ahead += children.get(pid, [])
        return found


class _Process(NamedTuple):
    pid: int
    parent: int
    program: str
    flags: int
    own_us: float
    ended_us: float  # of its children that have ended and were waited for
