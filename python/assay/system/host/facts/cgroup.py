"""Reads the limits that a container or service puts on this process. Source: /sys/fs/cgroup (cgroups(7)),
version 2 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from assay.system.host.control_groups import NO_LIMIT_V1, group_folders, own_groups, throttling_in
from assay.system.host.machine import Machine, present

_V2 = {
    "cpu_max": "cpu.max",
    "cpu_weight": "cpu.weight",
    "cpus": "cpuset.cpus.effective",
    "memory_max": "memory.max",
    "memory_high": "memory.high",
    "swap_max": "memory.swap.max",
    "io_max": "io.max",
}


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
        cut = throttling_in(machine, f"/sys/fs/cgroup{unified.rstrip('/')}")
        periods = None if cut is None else cut.periods or None
        return present([("version", 2), ("path", unified), *limits, ("cpu_throttled", periods)])
    if not groups:
        return {}
    quota, period = _quota_v1(machine)
    cpus = (machine.text(f"{folder}/cpuset.effective_cpus") for folder in group_folders(machine, "cpuset"))
    cuts = (throttling_in(machine, folder) for folder in group_folders(machine, "cpu"))
    return present(
        [
            ("version", 1),
            ("path", groups.get("memory")),
            ("cpu_quota_us", quota),
            ("cpu_period_us", period),
            ("cpus", next((one for one in cpus if one), None)),
            ("memory_max", _memory_v1(machine)),
            ("io_max", _io_v1(machine)),
            ("cpu_throttled", next((one.periods for one in cuts if one is not None and one.periods), None)),
        ]
    )


def _quota_v1(machine: Machine) -> tuple[str | None, str | None]:
    """Returns quota and period of the group that allows the least, of this process's and those above."""
    found = []
    for folder in group_folders(machine, "cpu"):
        quota, period = (machine.number(f"{folder}/cpu.cfs_{name}_us") for name in ("quota", "period"))
        if quota is not None and quota > 0 and period:
            found.append((quota / period, str(quota), str(period)))
    return min(found)[1:] if found else (None, None)


def _io_v1(machine: Machine) -> str | None:
    """Returns the limits of reading and writing, `8:0 write_bps_device=1048576`, of all groups."""
    names = [f"{way}_{unit}_device" for way in ("read", "write") for unit in ("bps", "iops")]
    said = [
        f"{line.rpartition(' ')[0]} {name}={line.rpartition(' ')[2]}"
        for folder in group_folders(machine, "blkio")
        for name in names
        for line in (machine.text(f"{folder}/blkio.throttle.{name}") or "").splitlines()
    ]
    return "; ".join(said) or None


def _memory_v1(machine: Machine) -> str | None:
    said = [machine.number(f"{folder}/memory.limit_in_bytes") for folder in group_folders(machine, "memory")]
    return str(min(limits)) if (limits := [one for one in said if one and one < NO_LIMIT_V1]) else None


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
