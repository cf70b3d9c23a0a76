"""Reads facts about NUMA nodes: their processors, memory and distances. Source: /sys/devices/system/node."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assay.system.host.machine import Machine, present

_NODES = "/sys/devices/system/node"


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns `nodes` (their number), `balancing`, and for each node `cpus`, `total_bytes`, `distances`."""
    names = [name for name in machine.names(_NODES) if re.fullmatch(r"node\d+", name)]
    return present(
        [
            ("nodes", len(names) or None),
            ("balancing", machine.number("/proc/sys/kernel/numa_balancing")),
            *((name, _node(machine, name)) for name in names),
        ]
    )


def _node(machine: Machine, name: str) -> dict[str, object]:
    total = re.search(r"MemTotal:\s+(\d+) kB", machine.text(f"{_NODES}/{name}/meminfo") or "")
    return present(
        [
            ("cpus", machine.text(f"{_NODES}/{name}/cpulist")),
            ("total_bytes", int(total[1]) * 1024 if total else None),
            ("distances", machine.text(f"{_NODES}/{name}/distance")),
        ]
    )
