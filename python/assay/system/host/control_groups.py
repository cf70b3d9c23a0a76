"""Finds the control groups of this process, and those above them, in both versions (cgroups(7))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.system.host.machine import Machine

ROOT = "/sys/fs/cgroup"
NO_LIMIT_V1 = 1 << 62
"""From here on a number of version 1 is no limit: it writes the largest page-aligned number."""
_STATISTIC = re.compile(r"^(\w+) (\d+)$", re.MULTILINE)


def own_groups(machine: Machine, process: int | None = None) -> dict[str, str]:
    """Returns the control group of this process, or of another, by controller; the controller of version 2
    has an empty name.
    """
    groups: dict[str, str] = {}
    for line in (machine.text(f"/proc/{process or 'self'}/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        groups.update(dict.fromkeys(controllers.split(","), path))
    return groups


def group_folders(machine: Machine, controller: str, process: int | None = None) -> Iterator[str]:
    """Yields the folder of this process's group of a controller, or of another process's, and those of all
    groups above, in both versions.

    Version 1 mounts a controller beside others of its hierarchy, `cpu,cpuacct`, under the joint name; a link
    with the single one is usual, but not everywhere.
    """
    groups = own_groups(machine, process)
    joint = next((one for one in _hierarchies(machine) if controller in one.split(",")), controller)
    places = [(f"{ROOT}/{name}", groups.get(controller)) for name in dict.fromkeys((controller, joint))]
    for root, path in (*places, (ROOT, groups.get(""))):
        if path is None:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for length in range(len(parts), -1, -1):
            yield "/".join((root, *parts[:length]))


@dataclass(frozen=True)
class Throttling:
    """What quotas of processor time have cost so far: periods in which they were used up, and nanoseconds for
    which threads that could run were kept from their processors, a sum over processors.
    """

    periods: int
    ns: int

    def since(self, before: Throttling) -> Throttling:
        """Returns the growth."""
        return Throttling(self.periods - before.periods, self.ns - before.ns)


def throttling(process: int, machine: Machine | None = None) -> Throttling | None:
    """Returns what the quotas of a process's groups have cost, together; None where no group counts it."""
    at = machine or Machine()
    folders = dict.fromkeys(group_folders(at, "cpu", process))
    counts = [one for folder in folders if (one := throttling_in(at, folder)) is not None]
    return Throttling(sum(one.periods for one in counts), sum(one.ns for one in counts)) if counts else None


def throttling_in(machine: Machine, folder: str) -> Throttling | None:
    """Returns what the quota of one group has cost; None where the group does not count it."""
    found = dict(_STATISTIC.findall(machine.text(f"{folder}/cpu.stat") or ""))
    if "nr_throttled" not in found:
        return None
    in_us = found.get("throttled_usec")  # version 2; version 1 counts nanoseconds
    ns = int(in_us) * 1000 if in_us is not None else int(found.get("throttled_time", 0))
    return Throttling(int(found["nr_throttled"]), ns)


def _hierarchies(machine: Machine) -> list[str]:
    """Returns the controllers of each hierarchy, as the kernel joins their names."""
    return [line.split(":", 2)[1] for line in (machine.text("/proc/self/cgroup") or "").splitlines()]
