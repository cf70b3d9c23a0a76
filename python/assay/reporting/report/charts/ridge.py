"""Draws the times of each treatment and load as a trail on a logarithmic axis: it shows several humps and
single slow operations, which a percentile hides (Gregg: Frequency Trails,
https://www.brendangregg.com/frequencytrails.html).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from assay.base.numbers import number
from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.ridge import SPARSE, TrailBin, ridge
from assay.reporting.report.treatment_labels import labels_of

ROW = 40
REACH = 1.25  # rows that the densest bin of a trail is high
TICK = 0.12
LABELS = 220  # pixels of a row's name, which is broken into lines beyond


def draw(material: Material) -> Chart | None:
    """Returns one panel a load with a trail for each treatment, or of one treatment a trail for each load."""
    bins, words = ridge(material), material.words
    if not bins:
        return None
    several = len(material.results.treatments) > 1
    by_load = [list(of) for _, of in groupby(bins, key=lambda one: one.load)] if several else [bins]
    panels = [_panel(material, here, bins, several=several, last=here is by_load[-1]) for here in by_load]
    spec: Spec = {"vconcat": panels, "spacing": 34, "bounds": "flush"}
    parts = {"trails": True, "sparse": any(one.sparse for one in bins), "log-axis": True}
    said, method = caption(words, parts, percent=number(100 * SPARSE, 0)), words("chart.ridge-method")
    return Chart("distribution", "ridge", words("chart.ridge"), said, spec, bins, method=method)


def _panel(
    material: Material, here: Sequence[TrailBin], bins: Sequence[TrailBin], *, several: bool, last: bool
) -> Spec:
    words, treatments = material.words, list(material.results.treatments)
    scale, ticks = log_scale([end for one in bins for end in (one.low_ms, one.high_ms)])
    rows = [list(of) for _, of in groupby(here, key=lambda one: (one.load, one.treatment))]
    labels = labels_of(material)
    names = [labels.of[row[0].treatment] if several else material.load_words(row[0].load) for row in rows]
    lines = [style.broken(name, LABELS) for name in names]
    colours = style.cycled(style.SERIES, len(treatments))
    x: Spec = {
        "type": "quantitative",
        "scale": scale,
        "axis": figures(words("chart.latency-axis") if last else None, values=ticks, labels=last),
    }
    places = list(range(len(rows)))[::-1]
    y: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, len(rows) - 1 + REACH], "nice": False},
        "axis": {
            **style.heading(labels.header if several else "", LABELS),
            "values": places,
            "labelExpr": f"{json.dumps(lines)}[{len(rows) - 1} - datum.value]",
            "labelLimit": 0,
            "labelOverlap": False,
            "labelBaseline": "bottom",
            "labelOffset": -13 * (max(map(len, lines)) - 1),
            "grid": True,
        },
    }
    layers: list[Spec] = []
    for place, row in zip(places, rows, strict=True):
        colour = colours[treatments.index(row[0].treatment)]
        layers += [
            {
                "data": values([{**vars(one), **_heights(one, place)} for one in row]),
                "mark": {"type": "area", "interpolate": "step-after", "color": colour, "opacity": 0.75},
                "encoding": {
                    "x": {**x, "field": "low_ms"},
                    "y": {**y, "field": "base"},
                    "y2": {"field": "top"},
                },
            },
            {
                "data": values([{**vars(one), **_heights(one, place)} for one in row if one.sparse]),
                "mark": {"type": "rule", "color": colour, "strokeWidth": 1},
                "encoding": {
                    "x": {**x, "field": "low_ms"},
                    "y": {**y, "field": "base"},
                    "y2": {"field": "tick"},
                },
            },
        ]
    if several:
        layers.append(style.written([material.load_words(here[0].load)]))
    height = round(ROW * (len(rows) - 1 + REACH))
    return {"width": style.WIDTH, "height": height, "layer": layers}


def _heights(one: TrailBin, place: int) -> Spec:
    return {"base": place, "top": place + REACH * one.density, "tick": place + TICK}
