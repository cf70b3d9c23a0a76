"""Draws what differs in the cost of one operation: ratio and interval around 1, and the figures of both."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from assay.base.numbers import number, ratio_with_interval
from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.charts.telling_loads import loads_in_words
from assay.reporting.report.material import Material
from assay.reporting.report.records.why import WhyRow, why_rows
from assay.reporting.report.treatment_labels import labels_of
from assay.reporting.report.words import Words

LABELS = 360  # pixels of a row's name and figures, which are broken into lines beyond
SHOWN = 150  # pixels of the ratio that is written beside each row
LINE = 13  # pixels of a line of a row's name
_ROOM = 1.15  # of the axis beyond what is drawn
_BEYOND = 2.0  # further than the last ratio lies something against nothing


def draw(material: Material) -> Chart | None:
    """Returns a row for each of the clearest differences, a panel for each treatment; None where no counter
    differs.
    """
    found, words = why_rows(material), material.words
    if not found:
        return None
    scale, ticks, ends = _axis(found)
    names = [_lines(row, words) for row in found]
    labels = max(style.pixels(line) for lines in names for line in lines)
    width = style.WIDTH + 60 - labels - SHOWN
    treatments, called = list(dict.fromkeys(row.treatment for row in found)), labels_of(material)
    panels = [
        _panel(
            [(row, lines) for row, lines in zip(found, names, strict=True) if row.treatment == treatment],
            title=called.keyed[treatment] if len(treatments) > 1 else None,
            x={
                "type": "quantitative",
                "scale": scale,
                "axis": figures(
                    _ratio_of(found[0].baseline, words) if treatment == treatments[-1] else None,
                    values=ticks,
                    labels=treatment == treatments[-1],
                    ticks=treatment == treatments[-1],
                ),
            },
            ends=ends,
            labels=labels,
            width=width,
            words=words,
        )
        for treatment in treatments
    ]
    parts = {
        "ratios-over-loads": True,
        "interval-lines": any(row.low is not None for row in found),
        "figures-at-load": True,
    }
    load = loads_in_words(material, found)
    said = caption(words, parts, baseline=called.of[found[0].baseline], load=load)
    room = 16 + 17 * max(len(style.broken(treatment, width)) for treatment in treatments)
    spec = {"vconcat": panels, "spacing": room, "bounds": "flush"} if len(panels) > 1 else panels[0]
    return Chart("why", "why", words("chart.why"), said, spec, found, method=words("chart.why-method"))


def _ratio_of(baseline: str, words: Words) -> str:
    return words("chart.ratio", baseline=baseline) if len(baseline) < 24 else words("column.ratio")


def _lines(row: WhyRow, words: Words) -> list[str]:
    """Returns the name of a row, and under it its figures at both ends."""
    name = style.broken(words.measure(row.measure), LABELS)
    unit = words.unit(row.unit)
    return [*name, f"{number(row.before)} → {number(row.after)}{f' {unit}' if unit else ''}"]


def _axis(found: Sequence[WhyRow]) -> tuple[Spec, list[float], tuple[float, float]]:
    """Returns a log scale with 1 on it, its ticks, and the places of something against nothing."""
    drawn = [end for row in found for end in (row.low, row.high, row.ratio) if end and math.isfinite(end)]
    low, high = min([1.0, *drawn]), max([1.0, *drawn])
    ends = low / _BEYOND, high * _BEYOND
    if any(row.ratio is None and row.after < row.before for row in found):
        low = ends[0]
    if any(row.ratio is None and row.after > row.before for row in found):
        high = ends[1]
    scale, ticks = log_scale([low / _ROOM, high * _ROOM])
    while len(ticks) > 7:
        ticks = [tick for place, tick in enumerate(ticks) if (place - ticks.index(1.0)) % 2 == 0]
    return scale, ticks, ends


def _panel(
    rows: Sequence[tuple[WhyRow, list[str]]],
    *,
    title: str | None,
    x: Spec,
    ends: tuple[float, float],
    labels: int,
    width: int,
    words: Words,
) -> Spec:
    tall = max(len(lines) for _, lines in rows)
    order = [row.measure for row, _ in rows]
    shown = {row.measure: lines for row, lines in rows}
    data: list[dict[str, Any]] = [
        {
            **vars(row),
            "at": ends[row.after > row.before] if row.ratio is None else row.ratio,
            "kind": "finite" if row.ratio is not None else "more" if row.after > row.before else "less",
            "said": _said(row, words),
            "one": 1,
        }
        for row, _ in rows
    ]
    y: Spec = {
        "field": "measure",
        "type": "nominal",
        "sort": order,
        "scale": {"domain": order},
        "axis": {
            "title": None,
            "labelLimit": 0,
            "minExtent": labels,  # a browser's letters are wider than those of what draws
            "ticks": False,
            "labelColor": style.INK,
            "labelExpr": f"{json.dumps(shown)}[datum.label]",
            "labelOffset": -LINE // 2 * (tall - 1),
            "labelLineHeight": LINE,
        },
    }
    spec: Spec = {
        "width": width,
        "height": {"step": LINE * tall + 10},
        "data": values(data),
        "layer": [
            {"mark": {"type": "rule", "color": style.AXIS}, "encoding": {"x": {**x, "field": "one"}}},
            {
                "mark": {"type": "rule", "strokeWidth": 1, "color": style.GRID},
                "encoding": {"x": {**x, "field": "one"}, "x2": {"field": "at"}, "y": y},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "color": style.SERIES[0]},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
                "transform": [{"filter": "isValid(datum.low)"}],
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": style.SERIES[0]},
                "encoding": {
                    "x": {**x, "field": "at"},
                    "y": y,
                    "shape": {
                        "field": "kind",
                        "type": "nominal",
                        "scale": {
                            "domain": ["finite", "more", "less"],
                            "range": ["circle", "triangle-right", "triangle-left"],
                        },
                        "legend": None,
                    },
                },
            },
            {
                "mark": {"type": "text", "align": "left", "fontSize": 11, "color": style.INK},
                "encoding": {
                    "x": {"value": width + 10},
                    "y": y,
                    "text": {"field": "said"},
                },
            },
        ],
    }
    if title is not None:
        spec["layer"].append(style.written(style.broken(title, width), size=12))
    return spec


def _said(row: WhyRow, words: Words) -> str:
    if row.ratio is None:
        return words("chart.why-from-none" if row.after > row.before else "chart.why-to-none")
    shown = ratio_with_interval(row.ratio, row.low, row.high)
    return shown if shown.startswith("1/") else f"× {shown}"
