"""Settings and measures of a volume's device that fails while the load is measured."""

from __future__ import annotations

FAILED, REPLACED, REBUILT = "device failed", "rebuild begins", "rebuilt"
"""Moments, in this order; the last two where a new device took its place, and had all data in time."""

PHASES = ("healthy", "degraded", "rebuilding", "rebuilt")
"""Phases of the measured window: until the first moment, and after each."""

PER_SECOND = tuple(f"{phase}_per_s" for phase in PHASES)
MIB_PER_SECOND = tuple(f"{phase}_mib_per_s" for phase in PHASES)
"""Measures of MiB/s by phase, for storage only."""

MEASURES: dict[str, str] = {
    **dict.fromkeys(PER_SECOND, "/s"),
    **dict.fromkeys(MIB_PER_SECOND, "MiB/s"),
    "dip_pct": "%",
    "stall_s": "s",
    "rebuild_s": "s",
    "device_errors": "",
}
"""Name -> unit. Operations (transactions of a server) a second in each phase; how far the worst second after
the failure lies below the mean before; seconds in a row without any operation; how long the rebuild took;
requests that devices answered with an error."""

HIGHER_IS_BETTER = frozenset((*PER_SECOND, *MIB_PER_SECOND))

HEADLINES = (*PER_SECOND, "dip_pct", "stall_s", "rebuild_s")
"""Measures that are always compared, besides those of every study of its kind."""
