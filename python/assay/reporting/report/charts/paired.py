"""Draws the single blocks as lines between treatments, which rise or fall together where pairs agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_ticks
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import BlockPoint
from assay.reporting.report.records.paired import paired
from assay.reporting.report.treatment_labels import labels_of

HEIGHT = 240
NARROWEST = 150


def draw(material: Material) -> Chart | None:
    """Returns one panel a load point with a line for each block; None for one treatment or one block."""
    words, points = material.words, paired(material)
    if not points:
        return None
    loads = list(dict.fromkeys(point.load for point in points))
    width = max(NARROWEST, (style.WIDTH - 60 * (len(loads) - 1)) // len(loads))
    title = words.with_unit(words.measure(material.throughput), words.unit(points[0].unit))
    at_load = [[point for point in points if point.load == load] for load in loads]
    reach = max(max(p.value for p in of) / min(p.value for p in of) for of in at_load) * 1.2
    panels = [_panel(material, of, width, reach, title if of is at_load[0] else None) for of in at_load]
    spec: Spec = {"hconcat": panels, "spacing": 30, "bounds": "flush", "resolve": style.SHARED}
    said, method = caption(words, {"block-lines": True, "log-axis": True}), words("chart.paired-method")
    return Chart("comparisons", "paired", words("chart.paired"), said, spec, points, method=method)


def _panel(
    material: Material, points: Sequence[BlockPoint], width: int, reach: float, title: str | None
) -> Spec:
    """Returns the panel of one load point. Its axis spans the ratio `reach`, so that slopes compare."""
    labels, present = labels_of(material), {point.treatment for point in points}
    treatments = [labels.of[t] for t in material.results.treatments if t in present]
    middle = math.sqrt(max(point.value for point in points) * min(point.value for point in points))
    domain = [middle / math.sqrt(reach), middle * math.sqrt(reach)]
    ticks = log_ticks(*domain)
    x: Spec = {
        "field": "treatment",
        "type": "nominal",
        "sort": treatments,
        "scale": {"domain": treatments, "type": "point", "padding": 0.4},
        # The legend names the treatments.
        "axis": {"title": None, "labels": False, "ticks": False, "grid": True},
    }
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"type": "log", "domain": domain, "nice": False},
        "axis": figures(title, values=ticks),
    }
    return {
        "width": width,
        "height": HEIGHT,
        "data": values(labels.rows(points)),
        "layer": [
            {
                "mark": {"type": "line", "strokeWidth": 1, "color": style.MUTED, "opacity": 0.7},
                "encoding": {"x": x, "y": y, "detail": {"field": "block", "type": "nominal"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": style.colour(labels.names, title=labels.header),
                    "shape": style.shape(labels.names, title=labels.header),
                },
            },
            style.written([material.load_words(points[0].load)]),
        ],
    }
