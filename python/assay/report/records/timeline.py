"""Records of one run of each treatment, second by second.

They hold the load's own figures with the server's and the host's signals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from assay.report.material import Material
from assay.report.records.signals import PANELS, Panel, Series
from assay.study import Kind


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
    """An action of an experiment, or an event of a device, at `t_s`."""

    treatment: str
    name: str
    t_s: float


def marks(material: Material, load: float, block: int) -> list[Mark]:
    """Returns the events in this block while the load ran; for a steady load only the failure of a device."""
    rows = material.rows(
        "select treatment, name, t_s from moments"
        " where load = ? and block = ? and t_s is not null order by t_s",
        (load, block),
    )
    return [Mark(row["treatment"], row["name"], row["t_s"]) for row in rows]


def typical_block(material: Material, load: float) -> int | None:
    """Returns the block nearest to the median of all.

    It is the same for every treatment, so that all of them saw the same hour.
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
    """Returns throughput, p95, the experiment's traces, and the signals of `signals.PANELS` without details,
    of one block at one load.

    A load on files has bytes read and written too.
    """
    points = _client(material, load, block) + _traces(material, load, block)
    return points + _panels(material, load, block, detail=False)


def machine_timeline(material: Material, load: float, block: int) -> list[TimePoint]:
    """Returns throughput with those signals of `signals.PANELS` that are details of the machine."""
    throughput = [point for point in _client(material, load, block) if point.panel in ("tps", "iops")]
    found = _panels(material, load, block, detail=True)
    return throughput + found if found else []


def _panels(material: Material, load: float, block: int, *, detail: bool) -> list[TimePoint]:
    points: list[TimePoint] = []
    for panel in PANELS:
        found = _signals(material, panel, load, block) if panel.detail == detail else []
        if not panel.silent or any(point.value for point in found):
            points += found
    return points


_OF_THE_LOAD: dict[Kind, tuple[tuple[str, str, str, str], ...]] = {
    "server": (("tps", "tps", "tps", "1/s"), ("p95", "p95", "p95_ms", "ms")),
    "storage": (
        ("iops", "iops", "tps", "1/s"),
        ("moved", "read", "read_mib_per_s", "MiB/s"),
        ("moved", "written", "write_mib_per_s", "MiB/s"),
        ("p95", "p95", "p95_ms", "ms"),
    ),
}
"""The load's own series: panel, series, column of `intervals`, unit."""


def _client(material: Material, load: float, block: int) -> list[TimePoint]:
    shown = _OF_THE_LOAD[material.study.subject.kind]
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
    return [
        point
        for series in panel.series
        for point in (
            _of_devices(material, panel, series, load, block)
            if series.ending
            else _of_names(material, panel, series, load, block)
        )
    ]


def _of_names(material: Material, panel: Panel, series: Series, load: float, block: int) -> list[TimePoint]:
    name = next((name for name in series.names if _sampled(material, series.source, name)), None)
    if name is None:
        return []
    rows = material.rows(
        "select run_id, treatment, t_s, sum(value) as value from rates"
        " where list_contains(?, name) and load = ? and block = ? and source = ?"
        " group by run_id, treatment, t_s order by treatment, t_s",
        ([name, *series.plus], load, block, series.source),
    )
    return _points(panel, series, series.key, rows, load)


def _of_devices(material: Material, panel: Panel, series: Series, load: float, block: int) -> list[TimePoint]:
    """Returns a series for each active device with `each`, otherwise one for all devices together."""
    fold = "max" if series.most else "sum"
    value = f"{fold}(value) filter (ends_with(name, $ending))"
    if series.per:
        value += " / nullif(sum(value) filter (ends_with(name, $per)), 0)"
    rows = material.rows(
        f"select run_id, treatment, t_s, device, {value} as value from ("
        "  select *, case when $each then substr(name, 1, length(name) - length("
        "    case when ends_with(name, $ending) then $ending else $per end)) else '' end as device"
        "  from rates where load = $load and block = $block and source = $source"
        "  and (ends_with(name, $ending) or ($per <> '' and ends_with(name, $per)))"
        ") group by run_id, treatment, t_s, device order by device, treatment, t_s",
        {
            "ending": series.ending,
            "per": series.per,
            "each": series.each,
            "load": load,
            "block": block,
            "source": series.source,
        },
    )
    by_device: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_device.setdefault(row["device"], []).append(row)
    at_work = {device: found for device, found in by_device.items() if any(row["value"] for row in found)}
    if len(at_work) > 1:
        return [
            point
            for device, found in at_work.items()
            for point in _points(panel, series, device, found, load)
        ]
    idle = next(iter(by_device.values()), [])
    return _points(panel, series, series.key, next(iter(at_work.values()), idle), load)


def _points(
    panel: Panel, series: Series, name: str, rows: list[dict[str, Any]], load: float
) -> list[TimePoint]:
    return [
        TimePoint(
            panel.key,
            name,
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


def _sampled(material: Material, source: str, name: str) -> bool:
    return bool(material.rows("select 1 from rates where source = ? and name = ? limit 1", (source, name)))


def _log_distance(value: float, middle: float) -> float:
    return abs(math.log(value / middle)) if value > 0 and middle > 0 else math.inf
