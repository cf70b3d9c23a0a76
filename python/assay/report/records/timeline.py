"""One run of each treatment, second by second.

The load's own figures with the server's and the host's signals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

from assay.report.material import Material
from assay.report.records.signals import PANELS, Panel


@dataclass(frozen=True)
class TimePoint:
    """A value at `t_s`, seconds from the start of the measured window (warm-up is negative)."""

    panel: str
    series: str
    unit: str
    treatment: str
    run_id: str
    load: float
    t_s: float
    value: float
    warmup: bool


@dataclass(frozen=True)
class Mark:
    """Something that an experiment did, or that happened to a device, at `t_s`."""

    treatment: str
    name: str
    t_s: float


def marks(material: Material, load: float, block: int) -> list[Mark]:
    """What happened in this block while the load ran; of a steady load only the failure of a device."""
    rows = material.rows(
        "select treatment, name, t_s from moments"
        " where load = ? and block = ? and t_s is not null order by t_s",
        (load, block),
    )
    return [Mark(row["treatment"], row["name"], row["t_s"]) for row in rows]


def typical_block(material: Material, load: float) -> int | None:
    """The block nearest to the median of all.

    The same one for every treatment, so that they saw the same hour.
    """
    values: dict[str, dict[int, float]] = {
        e.treatment: dict(e.blocks)
        for e in material.results.estimates
        if e.measure == material.throughput and e.load == load and e.blocks
    }
    if not values:
        return None
    common = set.intersection(*(set(blocks) for blocks in values.values()))

    def distance(block: int) -> float:
        return sum(_log_distance(blocks[block], median(blocks.values())) for blocks in values.values())

    return min(sorted(common), key=distance) if common else None


def timeline(material: Material, load: float, block: int) -> list[TimePoint]:
    """Throughput, p95, what an experiment traced, and the signals of `signals.PANELS` that were sampled.

    Of files bytes read and written too. Of one block at one load.
    """
    points = _client(material, load, block) + _traces(material, load, block)
    for panel in PANELS:
        found = _signals(material, panel, load, block)
        if not panel.silent or any(point.value for point in found):
            points += found
    return points


_OF_FILES = (
    ("iops", "iops", "tps", "1/s"),
    ("moved", "read", "read_mib_per_s", "MiB/s"),
    ("moved", "written", "write_mib_per_s", "MiB/s"),
    ("p95", "p95", "p95_ms", "ms"),
)
_OF_SERVERS = (("tps", "tps", "tps", "1/s"), ("p95", "p95", "p95_ms", "ms"))
"""Of the load itself: panel, series, column of `intervals`, unit."""


def _client(material: Material, load: float, block: int) -> list[TimePoint]:
    shown = _OF_FILES if material.study.on_files else _OF_SERVERS
    columns = ", ".join(column for _, _, column, _ in shown)
    rows = material.rows(
        f"select run_id, treatment, phase, t_s, {columns} from intervals"
        " where load = ? and block = ? and phase in ('warmup', 'measure') order by treatment, t_s",
        (load, block),
    )
    return [
        TimePoint(
            panel,
            series,
            unit,
            row["treatment"],
            row["run_id"],
            load,
            row["t_s"],
            row[column],
            row["phase"] == "warmup",
        )
        for panel, series, column, unit in shown
        for row in rows
        if row[column] is not None and math.isfinite(row[column])
    ]


def _traces(material: Material, load: float, block: int) -> list[TimePoint]:
    rows = material.rows(
        "select run_id, treatment, name, unit, t_s, value from traces"
        " where load = ? and block = ? and t_s is not null order by treatment, name, t_s",
        (load, block),
    )
    return [
        TimePoint(
            row["name"],
            row["name"],
            row["unit"],
            row["treatment"],
            row["run_id"],
            load,
            row["t_s"],
            row["value"],
            row["t_s"] < 0,
        )
        for row in rows
    ]


def _signals(material: Material, panel: Panel, load: float, block: int) -> list[TimePoint]:
    points = []
    for series in panel.series:
        name = next((name for name in series.names if _sampled(material, series.source, name)), None)
        if name is None and not series.ending:
            continue
        condition = "ends_with(name, ?)" if series.ending else "list_contains(?, name)"
        chosen = series.ending or [name, *series.plus]
        value, where, parameters = "sum(value)", condition, [chosen]
        if series.per:
            value = f"{value} filter ({condition}) / nullif(sum(value) filter (ends_with(name, ?)), 0)"
            where, parameters = "true", [chosen, series.per]
        rows = material.rows(
            f"select run_id, treatment, t_s, {value} as value from rates"
            f" where {where} and load = ? and block = ? and source = ?"
            " group by run_id, treatment, t_s order by treatment, t_s",
            (*parameters, load, block, series.source),
        )
        points += [
            TimePoint(
                panel.key,
                series.key,
                panel.unit,
                row["treatment"],
                row["run_id"],
                load,
                row["t_s"],
                row["value"] * series.scale,
                row["t_s"] < 0,
            )
            for row in rows
            if row["value"] is not None and math.isfinite(row["value"])
        ]
    return points


def _sampled(material: Material, source: str, name: str) -> bool:
    return bool(material.rows("select 1 from rates where source = ? and name = ? limit 1", (source, name)))


def _log_distance(value: float, middle: float) -> float:
    return abs(math.log(value / middle)) if value > 0 and middle > 0 else math.inf
