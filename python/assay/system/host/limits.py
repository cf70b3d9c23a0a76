"""What this process may use of the machine: memory, processors, tasks and files, within all its control
groups and its own limits (ulimit).

This is the one place that knows: nothing else asks the machine how much it has. Source: cgroups(7), the
kernel's "Control Group v2" and "Memory Resource Controller" (version 1), proc_pid_limits(5). A container sees
only a part of the tree: its own group is then the root of what is mounted.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass

from assay.system.host.control_groups import NO_LIMIT_V1, ROOT, group_folders
from assay.system.host.facts.memory import meminfo_bytes
from assay.system.host.machine import Machine
from assay.system.host.privileges import may_raise_limits

_RECLAIMABLE = ("inactive_file", "active_file", "slab_reclaimable")
_OF_MEMORY = {"Max address space": "ulimit -v", "Max data size": "ulimit -d"}


@dataclass(frozen=True)
class Limits:
    """What this process may use. `memory_bytes` is all that it may have, `available_bytes` what is left of it
    now, None where the kernel does not say; `memory_of` is what limits one of them, `the control group /a` or
    `ulimit -v`, None where the machine itself does.

    `usable` are the processors that it may run on, `processors` is how many can work at once: those, or a
    quota of fewer, rounded up. `tasks` is the number of processes and threads that may still be started,
    `open_files` and `file_bytes` are the most files that it may open and the largest that it may write; None
    without a limit.
    """

    memory_bytes: int
    available_bytes: int | None
    memory_of: str | None
    usable: frozenset[int]
    processors: int
    quota: float | None
    tasks: int | None
    open_files: int | None
    file_bytes: int | None


def own_limits(machine: Machine | None = None, *, usable: int | None = None) -> Limits:
    """Returns the limits of this process; `usable` stands for the number of processors that it may run on."""
    at = machine or Machine()
    memory, available, of = _memory(at)
    quota = min(filter(None, (_quota(at, folder) for folder in group_folders(at, "cpu"))), default=None)
    processors = frozenset(os.sched_getaffinity(0) if usable is None else range(usable))
    running = len(processors)
    tasks = [free for folder in group_folders(at, "pids") if (free := _tasks(at, folder)) is not None]
    open_files = _ulimit(at, "Max open files", hard=True)
    return Limits(
        memory_bytes=memory,
        available_bytes=available,
        memory_of=of,
        usable=processors,
        processors=running if quota is None else max(1, min(running, math.ceil(quota))),
        quota=quota if quota is not None and quota < running else None,
        tasks=min([*tasks, *_tasks_of_user(at)], default=None),
        open_files=None if open_files is None or may_raise_limits(at) else open_files,
        file_bytes=_ulimit(at, "Max file size"),
    )


def _memory(at: Machine) -> tuple[int, int | None, str | None]:
    total = meminfo_bytes("MemTotal", at) or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    available = meminfo_bytes("MemAvailable", at)
    of: str | None = None
    for folder in group_folders(at, "memory"):
        for limit in _memory_limits(at, folder):
            left = max(0, limit - _held(at, folder))
            if limit < total or (available is not None and left < available):
                of = f"the control group {folder.removeprefix(ROOT) or '/'}"
            total, available = min(total, limit), None if available is None else min(available, left)
    for name, word in _OF_MEMORY.items():
        most = _ulimit(at, name)
        if most is not None and most < total:
            total, available, of = most, None if available is None else min(available, most), word
    return total, available, of


def _ulimit(machine: Machine, name: str, *, hard: bool = False) -> int | None:
    """Returns a limit by its name in /proc/self/limits; None without one."""
    for line in (machine.text("/proc/self/limits") or "").splitlines():
        if line.startswith(name):
            value = line.removeprefix(name).split()[1 if hard else 0]
            return int(value) if value.isdigit() else None
    return None


def _tasks_of_user(machine: Machine) -> Iterator[int]:
    """Yields what `ulimit -u` leaves this user, which root has not to heed."""
    most = _ulimit(machine, "Max processes")
    if most is None or os.geteuid() == 0:
        return
    held, own = 0, str(os.getuid())
    for pid in filter(str.isdigit, machine.names("/proc")):
        status = machine.text(f"/proc/{pid}/status") or ""
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        if fields.get("Uid", "").split()[:1] == [own]:
            held += int(fields.get("Threads", "1"))
    yield max(0, most - held)


def _memory_limits(machine: Machine, folder: str) -> Iterator[int]:
    for file in ("memory.max", "memory.high", "memory.limit_in_bytes"):
        limit = machine.number(f"{folder}/{file}")
        if limit is not None and 0 <= limit < NO_LIMIT_V1:
            yield limit


def _held(machine: Machine, folder: str) -> int:
    """Returns the bytes that a group holds and cannot give back: without the pages of files, which the kernel
    reclaims.
    """
    used = machine.number(f"{folder}/memory.current")
    prefix = ""
    if used is None:
        used, prefix = machine.number(f"{folder}/memory.usage_in_bytes") or 0, "total_"
    lines = (line.partition(" ") for line in (machine.text(f"{folder}/memory.stat") or "").splitlines())
    stat = {name: int(value) for name, _, value in lines if value.strip().isdigit()}
    return max(0, used - sum(stat.get(prefix + name, 0) for name in _RECLAIMABLE))


def _quota(machine: Machine, folder: str) -> float | None:
    """Returns the processors that a group's quota is worth."""
    words = (machine.text(f"{folder}/cpu.max") or "").split()
    if not words:
        given, each = (machine.number(f"{folder}/cpu.cfs_{name}_us") for name in ("quota", "period"))
        return given / each if given is not None and given > 0 and each else None
    period = int(words[1]) if len(words) > 1 and words[1].isdigit() else 100_000
    return int(words[0]) / period if words[0].isdigit() and period else None


def _tasks(machine: Machine, folder: str) -> int | None:
    most = machine.number(f"{folder}/pids.max")
    if most is None:
        return None
    return max(0, most - (machine.number(f"{folder}/pids.current") or 0))
