"""Reads the limits that a container or service puts on this process. Source: /sys/fs/cgroup (cgroups(7)),
version 2 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from assay.host.machine import Machine, present

_V2 = {
    "cpu_max": "cpu.max",
    "cpu_weight": "cpu.weight",
    "cpus": "cpuset.cpus.effective",
    "memory_max": "memory.max",
    "memory_high": "memory.high",
    "swap_max": "memory.swap.max",
    "io_max": "io.max",
}
_V1 = {
    "cpu_quota_us": ("cpu", "cpu.cfs_quota_us"),
    "cpu_period_us": ("cpu", "cpu.cfs_period_us"),
    "cpus": ("cpuset", "cpuset.effective_cpus"),
    "memory_max": ("memory", "memory.limit_in_bytes"),
}
_NO_LIMIT_V1 = 1 << 62  # version 1 writes the largest page-aligned number


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns `version`, `path` and the limits as the kernel writes them; limits that are not set are left
    out.

    A limit of a group above holds as well: the tightest is returned. `cpu_throttled` is the number of periods
    that a quota has cut short since the group was made.
    """
    groups = own_groups(machine)
    unified = groups.get("", "/")
    if machine.text("/sys/fs/cgroup/cgroup.controllers") is not None:
        limits = [(name, _tightest(machine, unified, name, file)) for name, file in _V2.items()]
        throttled = _throttled(machine, f"/sys/fs/cgroup{unified.rstrip('/')}")
        return present([("version", 2), ("path", unified), *limits, ("cpu_throttled", throttled)])
    found: list[tuple[str, object]] = []
    for name, (controller, file) in _V1.items():
        value = machine.text(f"{_v1(groups, controller)}/{file}")
        if value is not None and value != "-1" and not (value.isdigit() and int(value) >= _NO_LIMIT_V1):
            found.append((name, value))
    throttled = _throttled(machine, _v1(groups, "cpu"))
    place = groups.get("memory")
    return present([("version", 1), ("path", place), *found, ("cpu_throttled", throttled)]) if groups else {}


def own_groups(machine: Machine) -> dict[str, str]:
    """Returns the control group of this process by controller; the controller of version 2 has an empty
    name.
    """
    groups: dict[str, str] = {}
    for line in (machine.text("/proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        groups.update(dict.fromkeys(controllers.split(","), path))
    return groups


def _tightest(machine: Machine, path: str, name: str, file: str) -> str | None:
    folders = [f"/sys/fs/cgroup{path.rstrip('/')}"]
    while folders[-1] != "/sys/fs/cgroup":
        folders.append(folders[-1].rpartition("/")[0])
    said = [machine.text(f"{folder}/{file}") for folder in folders]
    values = [value for value in said if value is not None and value.split()[0] != "max"]
    if name in _LIMITS:
        return min(values, key=_LIMITS[name], default=None)
    return values[0] if values else None


def _share(cpu_max: str) -> float:
    """Returns a `quota period` of cpu.max as a number of processors."""
    quota, _, period = cpu_max.partition(" ")
    return int(quota) / int(period or 100_000)


_LIMITS: dict[str, Callable[[str], float]] = {
    "cpu_max": _share,
    "memory_max": float,
    "memory_high": float,
    "swap_max": float,
}
"""Limits of which the tightest counts; of the others that of the group itself."""


def _throttled(machine: Machine, folder: str) -> int | None:
    found = re.search(r"^nr_throttled (\d+)", machine.text(f"{folder}/cpu.stat") or "", re.MULTILINE)
    return int(found[1]) if found and found[1] != "0" else None


def _v1(groups: dict[str, str], controller: str) -> str:
    return f"/sys/fs/cgroup/{controller}{groups.get(controller, '/').rstrip('/')}"
