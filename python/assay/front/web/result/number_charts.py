"""The strip of a number: its value in every run, in the order in which the runs were carried out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from assay.front.web.page import PageRequest, is_zoomed
from assay.reporting.report import Chart, Limit, Material, captions, level_limits, limits, ratio_limits, style
from assay.results.verdict import Estimate


@dataclass(frozen=True)
class BlockValue:
    """One value: a run of the treatment at the load point. `log_ratio` is to the mean over blocks that
    count.
    """

    block: int
    run_id: str
    rung: int
    started_ns: int
    value: float
    log_ratio: float | None
    used: bool


@dataclass(frozen=True)
class Number:
    """A number of the results with the values that it is computed from."""

    treatment: str
    load: float
    measure: str
    unit: str
    estimate: Estimate | None  # None: no value counts
    values: tuple[BlockValue, ...]


def strip_chart(one: PageRequest, material: Material, found: Number) -> Chart:
    """Returns the values in the order in which the runs were carried out, with the mean and its interval, and
    the limits that claims and gates set.
    """
    words = one.words
    unit = words.with_unit(words.measure(found.measure), words.unit(found.unit))
    order = {"title": words("web.number.order"), "labelAngle": 0, "grid": False}
    x = {"field": "order", "type": "ordinal", "axis": order}
    y = {
        "field": "value",
        "type": "quantitative",
        "scale": {"zero": not is_zoomed(one)},
        "axis": {"title": unit, "tickCount": 5},
    }
    every = [*_levels(material, found), *_of_ratios(material, found)]
    held = limits.within_reach(every, [value.value for value in found.values])
    layers = [
        *_mean(found.estimate, y),
        _values(one, found, x, y),
        *limits.rules(held, "y", y, words, end=style.WIDTH),
    ]
    spec = {"width": style.WIDTH, "height": 180, "layer": layers}
    estimate = found.estimate
    parts = {
        "marks-of-runs": True,
        "mean-line": estimate is not None,
        "mean-band": estimate is not None and estimate.low is not None,
        "not-counted": not all(value.used for value in found.values),
    }
    ratios = [words("web.number.strip-ratios")] if any(limit.against for limit in every) else []
    caption = captions.caption(words, parts, limits.caption(held, every, words), *ratios)
    return Chart("", "strip", words("web.number.strip"), caption, spec, found.values)


def _levels(material: Material, found: Number) -> list[Limit]:
    return level_limits(material, [found.measure], treatment=found.treatment, load=found.load)


def _of_ratios(material: Material, found: Number) -> Iterator[Limit]:
    """Yields the limits of ratios of this number to others, as values: so many times the other's mean."""
    for other in material.results.treatments:
        mean = material.estimate(other, found.load, found.measure)
        if other != found.treatment and mean is not None and mean.value > 0:
            for limit in ratio_limits(material, found.treatment, other):
                if (limit.measure, limit.load) == (found.measure, found.load):
                    yield replace(limit, value=limit.value * mean.value)


def _mean(estimate: Estimate | None, y: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if estimate is not None and estimate.low is not None:
        yield {
            "data": {"values": [{"low": estimate.low, "high": estimate.high}]},
            "mark": {"type": "rect", "color": style.SHADE},
            "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
        }
    if estimate is not None:
        yield {
            "data": {"values": [{"mean": estimate.value}]},
            "mark": {"type": "rule", "color": style.MUTED, "strokeDash": [4, 3]},
            "encoding": {"y": {**y, "field": "mean"}},
        }


def _values(one: PageRequest, found: Number, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    yes, no = one.words("web.yes"), one.words("web.no")
    rows = [
        {**asdict(value), "order": order, "state": yes if value.used else no}
        for order, value in enumerate(found.values, start=1)
    ]
    shape = {
        "field": "state",
        "type": "nominal",
        "scale": {"domain": [yes, no], "range": ["circle", "cross"]},
        "legend": {"title": one.words("web.column.used"), "orient": "top"},
    }
    return {
        "data": {"values": rows},
        "mark": {"type": "point", "size": 70, "opacity": 1, "color": style.SERIES[0], "strokeWidth": 2},
        "encoding": {"x": x, "y": y, "shape": shape},
    }
