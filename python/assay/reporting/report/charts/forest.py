"""Draws comparisons with the baseline: ratio and interval beside the region of indifference."""

from __future__ import annotations

import json
from collections.abc import Sequence

from assay.reporting.report.charts import limits, style
from assay.reporting.report.charts.axes import figures
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.limits import Limit, ratio_limits
from assay.reporting.report.tables.write import word
from assay.results.stats import around
from assay.results.verdict import distinct

PANELS = 3  # measures that there is room for
LABELS = 280  # pixels of a row's name, which is broken into lines beyond
WORD = 80  # pixels that a verdict word takes
FAR = 5.0  # ratios further apart than this need a log axis


def draw(material: Material) -> Chart | None:
    """Returns one panel a measure, with a row for each treatment and load, marked with its verdict word."""
    words, results = material.words, material.results
    if len(results.treatments) < 2:
        return None
    baseline = results.treatments[0]
    found = [
        c for c in distinct(results.comparisons) if c.baseline == baseline and c.measure in results.headlines
    ]
    if not found:
        return None
    measures = [m for m in results.headlines if any(c.measure == m for c in found)][:PANELS]
    found = [c for c in found if c.measure in measures]
    several = len(results.treatments) > 2
    names = {
        (other, load): f"{other} · {material.load_words(load)}" if several else material.load_words(load)
        for other in results.treatments[1:]
        for load in results.loads
    }
    order = list(names.values())
    labels = min(max(map(style.pixels, order)), LABELS)
    lines = {row: style.broken(row, LABELS) if style.pixels(row) > LABELS else [row] for row in order}
    tall = max(map(len, lines.values()))
    width = (style.WIDTH + 60 - labels - 24 * (len(measures) - 1)) // len(measures)
    panels: list[Spec] = []
    step = max(24 if len(order) < 20 else 18, 13 * tall + 9)
    every = [one for other in results.treatments[1:] for one in ratio_limits(material, other, baseline)]
    drawn: list[Limit] = []
    for index, measure in enumerate(measures):
        rows = [
            {**vars(c), "row": names[(c.other, c.load)], "word_shown": word(c.word, words)}
            for c in found
            if c.measure == measure
        ]
        region, beyond = (around(1.0, share * found[0].margin) for share in (1.0, 1.5))
        ends = [beyond.low, beyond.high]
        ends += [
            end for c in found if c.measure == measure for end in (c.low, c.high, c.ratio) if end and end > 0
        ]
        held = limits.within_reach((one for one in every if one.measure == measure), ends, from_zero=False)
        drawn += held
        ends += [one.value for one in held]
        domain = _domain(ends, width)
        far = max(ends) / min(ends) > FAR
        scale = {"type": "log" if far else "linear", "domain": domain, "nice": False, "zero": False}
        x: Spec = {
            "type": "quantitative",
            "scale": scale,
            "axis": figures(
                words("chart.ratio", baseline=baseline) if len(baseline) < 24 else words("column.ratio"),
                tickCount=4,
            ),
        }
        y: Spec = {
            "field": "row",
            "type": "nominal",
            "sort": order,
            "scale": {"domain": order},
            "axis": {
                "title": None,
                "labelLimit": 0,
                "labels": index == 0,
                "ticks": False,
                "labelExpr": f"{json.dumps(lines)}[datum.label]",
                "labelOffset": -6 * (tall - 1),
            },
        }
        colour = {
            "field": "word",
            "type": "nominal",
            "scale": {"domain": list(style.VERDICTS), "range": list(style.VERDICTS.values())},
            "legend": None,
        }
        band = {"from": max(region.low, domain[0]), "to": min(region.high, domain[1]), "one": 1}
        panels.append(
            {
                "title": words.measure(measure),
                "width": width,
                "height": {"step": step},
                "data": values(rows),
                "layer": [
                    {
                        "data": values([band]),
                        "mark": {"type": "rect", "color": style.SHADE, "opacity": 1},
                        "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
                    },
                    {
                        "data": values([band]),
                        "mark": {"type": "rule", "color": style.AXIS},
                        "encoding": {"x": {**x, "field": "one"}},
                    },
                    {
                        "mark": {"type": "rule", "strokeWidth": 2},
                        "encoding": {
                            "x": {**x, "field": "low"},
                            "x2": {"field": "high"},
                            "y": y,
                            "color": colour,
                        },
                        "transform": [{"filter": "isValid(datum.low)"}],
                    },
                    {
                        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                        "encoding": {"x": {**x, "field": "ratio"}, "y": y, "color": colour},
                    },
                    {
                        "mark": {"type": "text", "align": "right", "fontSize": 10.5},
                        "encoding": {
                            "x": {"value": width},
                            "y": y,
                            "text": {"field": "word_shown"},
                            "color": colour,
                        },
                    },
                    *limits.ticks(
                        [(names[(one.treatment, one.load)], one) for one in held],
                        x,
                        y,
                        words,
                        step=step,
                        middle=sum(domain) / 2,
                    ),
                ],
            }
        )
    spec = {"hconcat": panels, "spacing": 24}
    caption = words("chart.forest-caption", baseline=baseline)
    if shown := [one for one in every if one.measure in measures]:
        caption = words.sentences([caption, limits.caption(drawn, shown, words)])
    return Chart("comparisons", "forest", words("chart.forest"), caption, spec, found)


def _domain(ends: Sequence[float], width: int) -> list[float]:
    """Returns the range of the axis: all ends, with room at the right for the column of verdict words."""
    low, high = min(ends), max(ends)
    if high / low > FAR:
        return [low * 0.9, high * (high / low) ** (WORD / (width - WORD))]
    span = high - low
    return [low - 0.05 * span, high + span * WORD / (width - WORD)]
