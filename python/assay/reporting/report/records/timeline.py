"""Records of one run of each treatment, second by second.

They hold the load's own figures with the server's and the host's signals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from assay.design.study import Kind
from assay.reporting.report.material import Material
from assay.reporting.report.records.signals import PANELS, Panel, Series


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


def typical_block(material: Material, load: float, treatments: Sequence[str] | None = None) -> int | None:
    """Returns the block nearest to the median of all, by these treatments (default: all of them).

    It is the same for every treatment, so that all of them saw the same hour.
    """
    wanted = material.results.treatments if treatments is None else treatments
    values: dict[str, dict[int, float]] = {
        e.treatment: dict(e.blocks)
        for e in material.results.estimates
        if e.measure == material.throughput and e.load == load and e.blocks and e.treatment in wanted
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
    panels = [panel for panel in PANELS if panel.detail == detail]
    sampled = _sampled(material, [series for panel in panels for series in panel.series], load, block)
    points: list[TimePoint] = []
    for panel in panels:
        found = [point for series in panel.series for point in _signals(panel, series, sampled, load)]
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


@dataclass(frozen=True)
class _Rates:
    """The rates of one name in one run: `values[i]` is that of the second which ends at `t_s[i]`."""

    run_id: str
    treatment: str
    name: str
    t_s: list[float]
    values: list[float | None]


@dataclass(frozen=True)
class _Sampled:
    """What was sampled of some series: the rates by source, and which of the names the study has anywhere."""

    rates: Mapping[str, Sequence[_Rates]]
    names: frozenset[tuple[str, str]]


def _sampled(material: Material, wanted: Sequence[Series], load: float, block: int) -> _Sampled:
    """Reads all of these series at once: a query for each of sixty would cost more than the chart."""
    names = sorted({name for series in wanted for name in (*series.names, *series.plus)})
    endings = sorted({ending for series in wanted for ending in (series.ending, series.per) if ending})
    either = " or ".join(["list_contains(?, name)", *["ends_with(name, ?)"] * len(endings)])
    rates: dict[str, list[_Rates]] = {}
    for row in material.rows(
        "select run_id, treatment, source, name, list(t_s) as t_s, list(value) as value from rates"
        f" where load = ? and block = ? and ({either}) group by all order by all",
        (load, block, names, *endings),
    ):
        one = _Rates(row["run_id"], row["treatment"], row["name"], row["t_s"], row["value"])
        rates.setdefault(row["source"], []).append(one)
    known = material.rows("select distinct source, name from rates where list_contains(?, name)", (names,))
    return _Sampled(rates, frozenset((row["source"], row["name"]) for row in known))


def _signals(panel: Panel, series: Series, sampled: _Sampled, load: float) -> list[TimePoint]:
    rates = sampled.rates.get(series.source, ())
    if series.ending:
        return _of_devices(panel, series, rates, load)
    name = next((name for name in series.names if (series.source, name) in sampled.names), None)
    if name is None:
        return []
    summed = _folded([one for one in rates if one.name in (name, *series.plus)], sum)
    return _points(panel, series, series.key, summed, load)


def _of_devices(panel: Panel, series: Series, rates: Sequence[_Rates], load: float) -> list[TimePoint]:
    """Returns a series for each active device with `each`, otherwise one for all devices together."""
    ends = [end for end in (series.ending, series.per) if end]
    by_device: dict[str, list[_Rates]] = {}
    for one in rates:
        end = next((end for end in ends if one.name.endswith(end)), None)
        if end is not None:
            device = one.name.removesuffix(end) if series.each else ""
            by_device.setdefault(device, []).append(one)
    found = {device: _of_device(series, by_device[device]) for device in sorted(by_device)}
    at_work = {device: values for device, values in found.items() if any(values.values())}
    if len(at_work) > 1:
        return [
            point
            for device, values in at_work.items()
            for point in _points(panel, series, device, values, load)
        ]
    idle = next(iter(found.values()), {})
    return _points(panel, series, series.key, next(iter(at_work.values()), idle), load)


def _of_device(series: Series, rates: Sequence[_Rates]) -> _Values:
    values = _folded([one for one in rates if one.name.endswith(series.ending)], max if series.most else sum)
    if not series.per:
        return values
    each = _folded([one for one in rates if one.name.endswith(series.per)], sum)
    return {at: value / each[at] for at, value in values.items() if each.get(at)}


_Values = Mapping[tuple[str, str, float], float]
"""Values by treatment, run and seconds."""


def _folded(rates: Sequence[_Rates], fold: Callable[[Sequence[float]], float]) -> _Values:
    values: dict[tuple[str, str, float], list[float]] = {}
    for one in rates:
        for t_s, value in zip(one.t_s, one.values, strict=True):
            if value is not None:
                values.setdefault((one.treatment, one.run_id, t_s), []).append(value)
    return {at: fold(values[at]) for at in sorted(values, key=lambda at: (at[0], at[2]))}


def _points(panel: Panel, series: Series, name: str, values: _Values, load: float) -> list[TimePoint]:
    return [
        TimePoint(panel.key, name, panel.unit, treatment, run_id, load, t_s, value * series.scale, t_s < 0)
        for (treatment, run_id, t_s), value in values.items()
        if math.isfinite(value)
    ]


def _log_distance(value: float, middle: float) -> float:
    return abs(math.log(value / middle)) if value > 0 and middle > 0 else math.inf
