"""The measures that a claim may name, with their units; the store computes them under the same names."""

from __future__ import annotations

from assay.base.format import OWN_MEASURES
from assay.design.study import device_failure, storage
from assay.design.study.experiments import MEASURED

TIMES = ("mean_ms", "min_ms", "p50_ms", "p75_ms", "p90_ms", "p95_ms", "p99_ms", "p99_9_ms", "max_ms")
"""Measures of the times of whole transactions, or of reads and writes of files."""

STALLED, CORRECTED = "stalled_pct", "corrected_"
"""The share of time with less than half of the median throughput, and the prefix of percentiles of a closed
loop with the operations that it would have sent meanwhile."""

MEASURES: dict[str, str] = {
    "tps": "/s",
    "qps": "/s",
    **dict.fromkeys(TIMES, "ms"),
    **{one.name: one.unit for one in OWN_MEASURES},
    "errors_per_s": "/s",
    STALLED: "%",
    **{CORRECTED + name: "ms" for name in ("p95_ms", "p99_ms", "p99_9_ms")},
    "generator_cpu_us_per_query": "us",
    "server_cpu_us_per_query": "us",
    "load_average": "",
    "run_queue": "",
    "iowait_pct": "%",
    "cpu_busy_pct": "%",
    "server_cpus_busy_pct": "%",
    "server_rss_mib": "MiB",
    "disk_util_pct": "%",
    "crashes": "",
    "usable_pct": "%",
    **{name: measured.unit for name, measured in MEASURED.items()},
    **storage.MEASURES,
    **device_failure.MEASURES,
}
"""Name -> unit.

An experiment's measures need a study that has it, those of files a study of files, `usable_pct` a volume,
those of a failed device a volume in which one fails, those of `OWN_MEASURES` the workload that has them,
`server_cpus_busy_pct` a server that has `server.cpus`."""

HIGHER_IS_BETTER = frozenset(
    {"tps", "qps", "usable_pct"}
    | {one.name for one in OWN_MEASURES}
    | {name for name, measured in MEASURED.items() if measured.higher_is_better}
    | storage.HIGHER_IS_BETTER
    | device_failure.HIGHER_IS_BETTER
)
"""Latencies, errors, waits, sizes and costs are better when lower."""

_COMPARABLE = (frozenset(device_failure.PER_SECOND), frozenset(device_failure.MIB_PER_SECOND))
"""Measures of the same thing at different times."""

OF_A_KIND = ("tps", "errors_per_s", "iops", "mib_per_s", *TIMES)
"""Measures that may have a kind of transactions, or the name of a job on files, before them:
`new_order.p95_ms`.
"""

SHORT_NAMES: dict[str, str] = {
    name.removesuffix("_ms"): name for name, unit in MEASURES.items() if unit == "ms" and name not in MEASURED
}
"""`p95` -> `p95_ms`: allowed where the unit is written with the figure, or is not needed."""

_TIME_IN_US = {"us": 1.0, "ms": 1e3, "s": 1e6}
_SIZE_IN_B = {"MiB": 2.0**20, "GiB": 2.0**30, "MB": 1e6, "GB": 1e9}


COUNTER, FACT = "status.", "fact."
"""Prefixes of a server's counter and of a run's fact in claims."""


def unit_of(measure: str) -> str:
    """Returns the unit of a measure, of a counter (`status.Com_commit per s`), of a fact (`fact.aio_nr`)."""
    whole = parted(measure)[1]
    if whole in MEASURES:
        return MEASURES[whole]
    return "/s" if measure.startswith(COUNTER) and measure.endswith(" per s") else ""


def parted(measure: str) -> tuple[str | None, str]:
    """Returns kind and measure: `new_order` and `p95_ms` for `new_order.p95_ms`; a measure of all kinds
    together has no kind.
    """
    kind, _, whole = measure.rpartition(".")
    return (kind, whole) if kind and whole in OF_A_KIND else (None, measure)


def comparable(one: str, other: str) -> bool:
    """Returns whether a claim may compare the two measures; their kinds may differ (see `parted`)."""
    alike = {parted(one)[1], parted(other)[1]}
    return len(alike) == 1 or any({one, other} <= phases for phases in _COMPARABLE)


def of_a_phase(measure: str) -> bool:
    """Returns whether a measure is of one phase of the window: it has a ratio to another phase alone."""
    return any(measure in phases for phases in _COMPARABLE)


def in_unit(figure: float, written: str, unit: str) -> float | None:
    """Returns a figure, written in one unit, as a number of another; None where the units do not fit."""
    if written == unit:
        return figure
    if (written, unit) == ("MB/s", "MiB/s"):
        return figure * 1e6 / 2**20
    for sizes in (_TIME_IN_US, _SIZE_IN_B):
        if written in sizes and unit in sizes:
            return figure * sizes[written] / sizes[unit]
    return None
