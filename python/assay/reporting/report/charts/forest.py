"""Draws comparisons with the baseline: ratio and interval beside the region of indifference."""

from __future__ import annotations

import math

from assay.reporting.report.charts import limits, ratios, style
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.limits import Limit, ratio_limits
from assay.reporting.report.tables.write import word
from assay.reporting.report.treatment_labels import labels_of
from assay.results.stats import around
from assay.results.verdict import distinct

PANELS = 3  # measures that there is room for
LABELS = 280  # pixels of a row's name, which is broken into lines beyond
BETWEEN = 20


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
    labels = labels_of(material)
    names = {
        (other, load): f"{labels.of[other]} · {material.load_words(load)}"
        if several
        else material.load_words(load)
        for other in results.treatments[1:]
        for load in results.loads
    }
    order = list(names.values())
    header = labels.header if several else ""
    side = min(max(map(style.pixels, [*order, *header.split(" · ")])), LABELS)
    region, beyond = (around(1.0, share * found[0].margin) for share in (1.0, 1.5))
    at_right = ratios.words_room([word(c.word, words) for c in found])
    width = (style.WIDTH + 60 - side - (at_right + BETWEEN) * len(measures)) // len(measures)
    step = max(24 if len(order) < 20 else 18, style.row_height(order, LABELS))
    every = [one for other in results.treatments[1:] for one in ratio_limits(material, other, baseline)]
    titles = style.title_lines([words.measure(measure) for measure in measures], width)
    axis = words("chart.ratio", baseline=labels.of[baseline])
    if style.pixels(axis) > width:
        axis = words("column.ratio")
    drawn: list[Limit] = []
    panels: list[Spec] = []
    bands = []
    for measure, title in zip(measures, titles, strict=True):
        here = [c for c in found if c.measure == measure]
        rows = [{**vars(c), "row": names[(c.other, c.load)], "word_shown": word(c.word, words)} for c in here]
        ends = [beyond.low, beyond.high]
        ends += [end for c in here for end in (c.low, c.high, c.ratio) if end and end > 0]
        held = limits.within_reach((one for one in every if one.measure == measure), ends, from_zero=False)
        drawn += held
        x = ratios.ratio_axis([*ends, *(one.value for one in held)], axis, width)
        bands.append(ratios.sees_band(region, x, width))
        y: Spec = {
            "field": "row",
            "type": "nominal",
            "sort": order,
            "scale": {"domain": order},
            "axis": style.rows_axis(order, LABELS, header, shown=not panels),
        }
        panels.append(
            {
                "width": width,
                "height": {"step": step},
                "data": values(rows),
                "layer": [
                    *ratios.band(region, x, width),
                    ratios.line_at_one(x),
                    *_ratios(x, y, has_intervals=any(c.low is not None for c in here)),
                    ratios.words_column(y, width),
                    *limits.ticks(
                        [(names[(one.treatment, one.load)], one) for one in held],
                        x,
                        y,
                        words,
                        step=step,
                        middle=math.sqrt(math.prod(x["scale"]["domain"])),
                    ),
                    style.written(title),
                ],
            }
        )
    spec = {"hconcat": panels, "spacing": at_right + BETWEEN, "bounds": "flush"}
    parts = {
        "ratios": several,
        "ratios-of-one": not several,
        "interval-lines": any(c.low is not None for c in found),
        "region": all(bands),
        "region-of": any(bands) and not all(bands),
    }
    wide = words.listed(words.measure(m) for m, is_seen in zip(measures, bands, strict=True) if is_seen)
    shown = [one for one in every if one.measure in measures]
    said = caption(
        words,
        parts,
        limits.caption(drawn, shown, words),
        baseline=labels.of[baseline],
        other=labels.of[results.treatments[1]],
        measures=wide,
    )
    return Chart("comparisons", "forest", words("chart.forest"), said, spec, found)


def _ratios(x: Spec, y: Spec, *, has_intervals: bool) -> list[Spec]:
    colour = ratios.colour_of_words()
    interval: Spec = {
        "mark": {"type": "rule", "strokeWidth": 2},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour},
        "transform": [{"filter": "isValid(datum.low)"}],
    }
    point: Spec = {
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
        "encoding": {"x": {**x, "field": "ratio"}, "y": y, "color": colour},
    }
    return [interval, point] if has_intervals else [point]
