"""The sampler `memory`: use of memory, faults and reclaim. Source: /proc/meminfo, /proc/vmstat (proc(5))."""

from __future__ import annotations

from assay.system.host.machine import Machine, labelled

_LEVELS = {
    "MemFree": "free_bytes",
    "MemAvailable": "available_bytes",
    "Buffers": "buffers_bytes",
    "Cached": "cached_bytes",
    "Dirty": "dirty_bytes",
    "Writeback": "writeback_bytes",
    "AnonPages": "anonymous_bytes",
    "AnonHugePages": "anonymous_huge_bytes",
    "Slab": "slab_bytes",
    "SwapFree": "swap_free_bytes",
}
_COUNTS = {
    "pswpin": "swap_in_pages_total",
    "pswpout": "swap_out_pages_total",
    "pgfault": "faults_total",
    "pgmajfault": "major_faults_total",
    "allocstall_normal": "allocation_stalls_total",
    "oom_kill": "oom_kills_total",
    "pgsteal_direct": "direct_reclaimed_pages_total",
    "compact_stall": "compaction_stalls_total",
    "thp_fault_alloc": "huge_faults_total",
    "numa_pages_migrated": "numa_migrated_pages_total",
}


class MemorySource:
    """Source `memory`: use of memory in bytes; counters of faults, swapped and migrated pages, and stalls."""

    name = "memory"

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()

    def read(self) -> dict[str, float]:
        info = labelled(self._machine.text("/proc/meminfo") or "")
        values = {name: int(info[key].split()[0]) * 1024.0 for key, name in _LEVELS.items() if key in info}
        for line in (self._machine.text("/proc/vmstat") or "").splitlines():
            key, _, count = line.partition(" ")
            if key in _COUNTS:
                values[_COUNTS[key]] = float(count)
        return values
