"""Draws treatments as lines by load, with a label at the end of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.base.numbers import number
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
from assay.reporting.report.records.answer import AnswerPoint

LABEL = 140
HEIGHT = 240
DODGE = 7  # pixels between the points of two treatments at one load, where there is room
REACH = 1.6  # an interval of few blocks may reach far: past so many times the mean it is cut off


def spec(material: Material, points: Sequence[AnswerPoint]) -> Spec:
    """Returns the chart; labels that would meet are moved apart."""
    treatments = list(dict.fromkeys(point.treatment for point in points))
    loads = sorted({point.load for point in points})
    last = {one: max((p for p in points if p.treatment == one), key=lambda p: p.load) for one in treatments}
    texts = {one: _label(point, named=len(treatments) > 1) for one, point in last.items()}
    widest = max(style.pixels(line) for text in texts.values() for line in text)
    height = max(HEIGHT, sum(LINE * len(text) + 4 for text in texts.values()))
    scale = Scale(points, height)
    at = _apart({one: scale.pixel(last[one].value or 0) for one in treatments}, texts, height)
    x: Spec = {
        "field": "load",
        "type": "ordinal",
        "sort": None,
        "scale": {"domain": [number(load) for load in loads], "type": "point", "padding": 0.3},
        "axis": {
            "title": material.words(f"load.{material.results.load_kind}"),
            "labelAngle": 0,
            "grid": False,
        },
    }
    y = {"type": "quantitative", "scale": scale.spec, "axis": figures(None, **scale.ticks)}
    colour = style.colour(treatments, legend=False)
    place = {"x": x, "xOffset": _dodged(treatments, len(loads))}
    layers: list[Spec] = [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {**place, "y": {**y, "field": "value"}, "strokeDash": style.dash(treatments)},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 2, "clip": True},
            "transform": [{"filter": "isValid(datum.low)"}],
            "encoding": {**place, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {
                **place,
                "y": {**y, "field": "value"},
                "shape": style.shape(treatments, legend=False),
            },
        },
        *(_label_layer(one, texts[one], scale.value(at[one]), y, colour) for one in treatments),
    ]
    if len(treatments) == 2:
        layers += _ratios(points, treatments, x, y, scale)
    title = {"text": axis_title(material, points[0]), "fontWeight": "normal", "fontSize": 12}
    return {
        "title": title,
        "data": values([{**vars(point), "load": number(point.load)} for point in points]),
        "width": PLOT,
        "height": height,
        # Beside short labels there is room as beside long ones: the letters of all pictures are as large.
        "padding": {"left": 6, "top": 8, "right": 14 + max(0, LABEL - widest), "bottom": 6},
        "encoding": {"color": colour},
        "layer": layers,
    }


def _dodged(treatments: Sequence[str], loads: int) -> Spec:
    """Returns the channel that sets the treatments side by side at each load."""
    step = min(DODGE, 0.5 * PLOT / loads / max(1, len(treatments) - 1))
    reach = step * (len(treatments) - 1) / 2
    scale = {"domain": list(treatments), "range": [-reach, reach]}
    return {"field": "treatment", "type": "nominal", "sort": list(treatments), "scale": scale}


def _label(point: AnswerPoint, *, named: bool) -> list[str]:
    """Returns the lines of a treatment's label: its name, its value at the last load, its ratio."""
    return [
        *name_lines(point.label if named else "", LABEL),
        *(one for one in (value(point), ratio(point)) if one),
    ]


def _label_layer(treatment: str, lines: list[str], at: float, y: Spec, colour: Spec) -> Spec:
    """Returns the text of one treatment at the right edge, centred about a value of the axis."""
    mark = {
        "type": "text",
        "align": "left",
        "baseline": "middle",
        "dx": 10,
        "dy": -LINE * (len(lines) - 1) / 2,
        "text": lines,
        "lineHeight": LINE,
        "fontSize": 12,
        "fontWeight": "bold",
    }
    return {
        "data": values([{"treatment": treatment, "value": at}]),
        "mark": mark,
        "encoding": {"x": {"value": PLOT}, "y": {**y, "field": "value"}, "color": colour},
    }


def _ratios(
    points: Sequence[AnswerPoint], treatments: Sequence[str], x: Spec, y: Spec, scale: Scale
) -> list[Spec]:
    """Returns the ratio at each load but the last, whose ratio the label has: between lines that are far
    apart, otherwise above the upper one.
    """
    rows = []
    for load in sorted({point.load for point in points})[:-1]:
        here = {point.treatment: point for point in points if point.load == load}
        other = here.get(treatments[1])
        if len(here) < 2 or other is None or other.ratio is None:
            continue
        upper, lower = sorted(scale.pixel(point.value or 0) for point in here.values())
        at = (upper + lower) / 2 if lower - upper > 3 * LINE else max(upper - LINE, 6)
        rows.append({"load": number(load), "value": scale.value(at), "text": ratio(other, ends=False)})
    if not rows:
        return []
    encoding = {
        "x": x,
        "y": {**y, "field": "value"},
        "text": {"field": "text"},
        "color": {"value": style.INK},
    }
    return [
        {
            "data": values(rows),
            "mark": {"type": "text", "fontSize": 12, "fontWeight": "bold"},
            "encoding": encoding,
        }
    ]


class Scale:
    """The vertical axis, in values and in pixels: logarithmic where treatments are far apart."""

    def __init__(self, points: Sequence[AnswerPoint], height: float) -> None:
        found = [point.value for point in points if point.value is not None]
        highs = [p.high for p in points if p.high is not None and p.value and p.high < REACH * p.value]
        lows = [p.low for p in points if p.low is not None and p.value and p.low * REACH > p.value]
        self._height, self._is_log = height, far_apart(points)
        self.ticks: Mapping[str, Any] = {"tickCount": 5}
        if self._is_log:
            self.spec, ticks = log_scale([*found, *highs, *lows])
            self.ticks = {"values": ticks}
        else:
            top, least = max([*found, *highs]), min([0.0, *found])
            self.spec = {"type": "linear", "domain": [least, (top or 1.0) * 1.08], "nice": False}
        self._low, self._high = (self._of(end) for end in self.spec["domain"])

    def pixel(self, at: float) -> float:
        """Returns how far below the upper edge a value lies."""
        return self._height * (1 - (self._of(at) - self._low) / (self._high - self._low))

    def value(self, pixel: float) -> float:
        """Returns the value that lies so far below the upper edge."""
        at = self._low + (self._high - self._low) * (1 - pixel / self._height)
        return math.exp(at) if self._is_log else at

    def _of(self, at: float) -> float:
        return math.log(at) if self._is_log else at


def _apart(at: Mapping[str, float], texts: Mapping[str, Sequence[str]], height: float) -> dict[str, float]:
    """Returns the middles of labels in pixels, as near to their lines as they can be without meeting."""
    order = sorted(at, key=lambda one: at[one])
    half = {one: LINE * len(texts[one]) / 2 + 2 for one in order}
    found: dict[str, float] = {}
    edge = 0.0
    for one in order:
        found[one] = max(at[one], edge + half[one])
        edge = found[one] + half[one]
    edge = height
    for one in reversed(order):
        found[one] = min(found[one], edge - half[one])
        edge = found[one] - half[one]
    return found
