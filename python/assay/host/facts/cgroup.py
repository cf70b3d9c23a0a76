"""Limits that a container or service puts on us. Source: /sys/fs/cgroup (cgroups(7)), version 2 and 1."""

from __future__ import annotations

from collections.abc import Sequence
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
    """`version`, `path`, and the limits as the kernel writes them; those that limit nothing are left out."""
    groups = {}
    for line in (machine.text("/proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        groups.update(dict.fromkeys(controllers.split(","), path))
    unified = groups.get("", "/")
    if machine.text("/sys/fs/cgroup/cgroup.controllers") is not None:
        folder = f"/sys/fs/cgroup{unified.rstrip('/')}"
        limits = [(name, machine.text(f"{folder}/{file}")) for name, file in _V2.items()]
        return present(
            [("version", 2), ("path", unified), *((n, v) for n, v in limits if v not in ("max", None))]
        )
    found: list[tuple[str, object]] = []
    for name, (controller, file) in _V1.items():
        value = machine.text(f"/sys/fs/cgroup/{controller}{groups.get(controller, '/').rstrip('/')}/{file}")
        if value is not None and value != "-1" and not (value.isdigit() and int(value) >= _NO_LIMIT_V1):
            found.append((name, value))
    return present([("version", 1), ("path", groups.get("memory")), *found]) if groups else {}
