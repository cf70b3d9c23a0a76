"""Draws the single blocks as lines between treatments, which rise or fall together where pairs agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import BlockPoint
from assay.reporting.report.records.paired import paired

HEIGHT = 240
NARROWEST = 150
ENOUGH = 4  # ticks of 1, 2 and 5; of blocks nearer to each other even steps


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
    spec: Spec = {"hconcat": panels, "spacing": 30, "bounds": "flush"}
    return Chart("comparisons", "paired", words("chart.paired"), words("chart.paired-caption"), spec, points)


def _panel(
    material: Material, points: Sequence[BlockPoint], width: int, reach: float, title: str | None
) -> Spec:
    """Returns the panel of one load point. Its axis spans the ratio `reach`, so that slopes compare."""
    treatments = [t for t in material.results.treatments if any(point.treatment == t for point in points)]
    middle = math.sqrt(max(point.value for point in points) * min(point.value for point in points))
    domain = [middle / math.sqrt(reach), middle * math.sqrt(reach)]
    ticks = log_scale(domain)[1]
    x: Spec = {
        "field": "treatment",
        "type": "nominal",
        "sort": treatments,
        "scale": {"domain": treatments, "type": "point", "padding": 0.4},
        # The legend of the first panel names the treatments.
        "axis": {"title": None, "labels": False, "ticks": False, "grid": True},
    }
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"type": "log", "domain": domain, "nice": False},
        "axis": figures(title, values=ticks) if len(ticks) >= ENOUGH else figures(title, tickCount=4),
    }
    everything = material.results.treatments
    return {
        "title": material.load_words(points[0].load),
        "width": width,
        "height": HEIGHT,
        "data": values([vars(point) for point in points]),
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "mark": {"type": "line", "strokeWidth": 1, "color": style.MUTED, "opacity": 0.7},
                "encoding": {"detail": {"field": "block", "type": "nominal"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1},
                "encoding": {
                    "color": style.colour(everything, legend=title is not None),
                    "shape": style.shape(everything, legend=title is not None),
                },
            },
        ],
    }
