"""Draws one row a treatment, a kind of load or a factor: its value or its ratio, with the interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.reporting.report.charts import style
from assay.reporting.report.charts.answer_words import (
    LINE,
    PLOT,
    axis_title,
    far_apart,
    name_lines,
    ratio,
    value,
)
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.chart import Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.readings import measure_words
from assay.reporting.report.records.answer import AnswerPoint

LABEL = 300  # pixels of a name, which stands above its row
FIGURE = 150  # pixels of a figure at the right
ROOM = 28  # pixels of a row beside its name


def spec(material: Material, points: Sequence[AnswerPoint]) -> Spec:
    """Returns the chart: ratios of kinds of load and of factors, otherwise values."""
    of_ratios = any(point.value is None for point in points) or (
        bool(material.results.workloads) and all(point.ratio is not None for point in points)
    )
    rows = [_row(number, point, of_ratios=of_ratios) for number, point in enumerate(points)]
    keys = [row["key"] for row in rows]
    lines = max(1, *(len(row["name"]) for row in rows))
    room = max(style.pixels(row["figure"]) for row in rows)
    x = _axis(material, points, of_ratios=of_ratios)
    # The colour of a row tells nothing that its name does not; equal rows of one kind have one colour.
    colour: Spec = (
        {"value": style.SERIES[0]} if of_ratios else style.colour(keys, legend=False) | {"field": "key"}
    )
    text = {"type": "text", "align": "left", "lineHeight": LINE, "fontSize": 12}
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "clip": True},
            "transform": [{"filter": "isValid(datum.low)"}],
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {"x": {**x, "field": "value"}, "color": colour},
        },
        {
            "mark": {**text, "baseline": "bottom", "dy": -8 - LINE * (lines - 1), "dx": 0},
            "encoding": {"x": {"value": 0}, "text": {"field": "name"}, "color": {"value": style.INK}},
        },
        {
            "mark": {**text, "baseline": "middle", "dx": 10, "fontWeight": "bold"},
            "encoding": {"x": {"value": PLOT}, "text": {"field": "figure"}, "color": colour},
        },
    ]
    if of_ratios:
        one = {"data": values([{"one": 1.0}]), "mark": {"type": "rule", "strokeDash": [3, 3]}}
        encoding = {"x": {**x, "field": "one"}, "y": {"value": 0}, "y2": {"value": {"expr": "height"}}}
        layers.insert(0, {**one, "encoding": {**encoding, "color": {"value": style.MUTED}}})
    y: Spec = {
        "field": "key",
        "type": "nominal",
        "sort": keys,
        "axis": {"title": None, "labels": False, "ticks": False, "grid": True, "tickBand": "center"},
    }
    return {
        "data": values(rows),
        "width": PLOT,
        "height": {"step": ROOM + LINE * lines},
        # A picture of short figures is no narrower than others: its letters would be larger than theirs.
        "padding": {"left": 6, "top": 8, "right": 14 + max(0, FIGURE - room), "bottom": 6},
        "encoding": {"y": y},
        "layer": layers,
    }


def _row(number: int, point: AnswerPoint, *, of_ratios: bool) -> dict[str, Any]:
    seen = (point.value, point.low, point.high)
    if of_ratios:
        seen = (point.ratio, point.ratio_low, point.ratio_high)
    figure = ratio(point) if of_ratios else " ".join(one for one in (value(point), ratio(point)) if one)
    return {
        "key": f"{number:03d}",
        "name": name_lines(point.label, LABEL),
        "figure": figure,
        **dict(zip(("value", "low", "high"), seen, strict=True)),
    }


def _axis(material: Material, points: Sequence[AnswerPoint], *, of_ratios: bool) -> Spec:
    """Returns the horizontal channel: a logarithmic axis of ratios with 1 on it, or one of values."""
    if of_ratios:
        ends = [end for p in points for end in (p.ratio, p.ratio_low, p.ratio_high) if end is not None]
        scale, ticks = log_scale([*ends, 1.0])
        name, load = measure_words(material, points[0].measure), material.load_words(points[0].load)
        title = material.words("chart.answer-ratio", measure=name, load=load)
        return {"type": "quantitative", "scale": scale, "axis": figures(title, values=ticks, grid=False)}
    title = axis_title(material, points[0])
    if far_apart(points):
        scale, ticks = log_scale([point.value for point in points if point.value is not None])
        return {"type": "quantitative", "scale": scale, "axis": figures(title, values=ticks, grid=False)}
    return {"type": "quantitative", "scale": {"zero": True}, "axis": figures(title, tickCount=4, grid=False)}
