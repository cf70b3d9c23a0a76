"""Reads facts about memory: size, swap, huge pages, reclaim. Source: /proc/meminfo, /proc/sys/vm,
/sys/kernel/mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.system.host.machine import Machine, labelled, present

_VM = (
    "swappiness",
    "dirty_ratio",
    "dirty_background_ratio",
    "dirty_bytes",
    "dirty_background_bytes",
    "dirty_expire_centisecs",
    "dirty_writeback_centisecs",
    "min_free_kbytes",
    "max_map_count",
    "overcommit_memory",
    "zone_reclaim_mode",
)


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns sizes in bytes, and settings `vm.*` as the kernel states them."""
    info = _meminfo(machine)
    return present(
        [
            ("total_bytes", _bytes(info, "MemTotal")),
            ("swap_total_bytes", _bytes(info, "SwapTotal")),
            ("swap_free_bytes", _bytes(info, "SwapFree")),
            ("huge_page_bytes", _bytes(info, "Hugepagesize")),
            ("huge_pages", int(info["HugePages_Total"]) if "HugePages_Total" in info else None),
            ("transparent_hugepage", machine.chosen("/sys/kernel/mm/transparent_hugepage/enabled")),
            ("transparent_hugepage_defrag", machine.chosen("/sys/kernel/mm/transparent_hugepage/defrag")),
            ("vm", present((name, machine.number(f"/proc/sys/vm/{name}")) for name in _VM)),
        ]
    )


def meminfo_bytes(name: str, machine: Machine | None = None) -> int | None:
    """Returns one value of /proc/meminfo in bytes, such as `MemAvailable`; None when it has no such line."""
    return _bytes(_meminfo(machine or Machine()), name)


def _meminfo(machine: Machine) -> dict[str, str]:
    return labelled(machine.text("/proc/meminfo") or "")


def _bytes(info: dict[str, str], name: str) -> int | None:
    return int(info[name].split()[0]) * 1024 if name in info else None
