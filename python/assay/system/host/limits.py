"""What this process may use of the machine: its memory, processors and tasks, within all its control groups.

Source: cgroups(7), the kernel's "Control Group v2" and "Memory Resource Controller" (version 1). A container
sees only a part of the tree: its own group is then the root of what is mounted.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass

from assay.system.host.facts.cgroup import NO_LIMIT_V1, ROOT, group_folders
from assay.system.host.facts.memory import meminfo_bytes
from assay.system.host.machine import Machine

_RECLAIMABLE = ("inactive_file", "active_file", "slab_reclaimable")


@dataclass(frozen=True)
class Limits:
    """What this process may use. `memory_bytes` is all that it may have, `available_bytes` what is left of it
    now; `memory_of` is the control group that limits one of them, None where the machine itself does.

    `processors` is how many can work at once: those that it may run on, or a quota of fewer, rounded up.
    `tasks` is the number of processes and threads that may still be started, None without a limit.
    """

    memory_bytes: int
    available_bytes: int
    memory_of: str | None
    processors: int
    quota: float | None
    tasks: int | None


def own_limits(machine: Machine | None = None, *, usable: int | None = None) -> Limits:
    """Returns the limits of this process; `usable` is the number of processors that it may run on."""
    at = machine or Machine()
    total, available = meminfo_bytes("MemTotal", at), meminfo_bytes("MemAvailable", at)
    of: str | None = None
    for folder in group_folders(at, "memory"):
        for limit in _memory_limits(at, folder):
            left = max(0, limit - _held(at, folder))
            if limit < total or left < available:
                of = folder.removeprefix(ROOT) or "/"
            total, available = min(total, limit), min(available, left)
    quota = min(filter(None, (_quota(at, folder) for folder in group_folders(at, "cpu"))), default=None)
    running = usable or len(os.sched_getaffinity(0))
    tasks = [free for folder in group_folders(at, "pids") if (free := _tasks(at, folder)) is not None]
    return Limits(
        memory_bytes=total,
        available_bytes=available,
        memory_of=of,
        processors=running if quota is None else max(1, min(running, math.ceil(quota))),
        quota=quota if quota is not None and quota < running else None,
        tasks=min(tasks, default=None),
    )


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
