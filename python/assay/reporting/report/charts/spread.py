"""Draws the seconds of one block as dots beside their density: a mean hides how steady a treatment is."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.charts.facets import Facet, beside, facets_of
from assay.reporting.report.material import Material
from assay.reporting.report.records.spread import SecondOfLoad, Spread, seconds, spreads
from assay.reporting.report.records.timeline import typical_block

HEIGHT = 220
BETWEEN = 14
FEWEST = 5  # seconds; fewer have no density
GOLDEN = 0.618034  # its multiples spread evenly, without the stripes of a fixed step


def draw(material: Material) -> Chart | None:
    """Returns the block nearest to the median at the highest load point, treatments side by side."""
    words, load = material.words, max(material.results.loads, default=None)
    block = typical_block(material, load) if load is not None else None
    if load is None or block is None:
        return None
    enough = [one for one in spreads(material, load, block) if one.seconds >= FEWEST]
    treatments = [one.treatment for one in enough]
    points = [point for point in seconds(material, load, block) if point.treatment in treatments]
    if not points:
        return None
    top = max(point.value for point in points) * 1.04 or 1.0
    facets = facets_of(material, treatments, BETWEEN)
    panels = [_panel(material, points, one, facet, top) for one, facet in zip(enough, facets, strict=True)]
    several = any(point.stands_for > 1 for point in points)
    parts = {
        "block-at-load": True,
        "seconds": not several,
        "seconds-joined": several,
        "density": True,
        "median-line": True,
    }
    said = caption(words, parts, block=block, load=material.load_words(load))
    method = words("chart.spread-method")
    spec = beside(facets, panels, BETWEEN)
    return Chart("timeline", "spread", words("chart.spread"), said, spec, points, method=method)


def _panel(
    material: Material, points: Sequence[SecondOfLoad], spread: Spread, facet: Facet, top: float
) -> Spec:
    words, treatments = material.words, list(material.results.treatments)
    here = [point for point in points if point.treatment == spread.treatment]
    colour = style.cycled(style.SERIES, len(treatments))[treatments.index(spread.treatment)]
    # Dots lie left of 0 at a place of no meaning, the density right of it.
    rows = [
        {**vars(point), "place": -0.1 - 0.8 * (number * GOLDEN % 1), "none": 0}
        for number, point in enumerate(here)
    ]
    x: Spec = {"type": "quantitative", "scale": {"domain": [-1, 1], "nice": False}, "axis": None}
    title = words.with_unit(words.measure(material.throughput), words.unit("1/s"))
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, top], "nice": False},
        "axis": figures(title if facet.is_first else None, labels=facet.is_first, tickCount=5),
    }
    layers: list[Spec] = [
        {
            "data": values(rows),
            "mark": {"type": "area", "orient": "horizontal", "color": colour, "opacity": 0.35},
            "encoding": {"x": {**x, "field": "none"}, "x2": {"field": "density"}, "y": y},
        },
        {
            "data": values(rows),
            "mark": {"type": "point", "filled": True, "size": 14, "color": colour, "opacity": 0.3},
            "encoding": {"x": {**x, "field": "place"}, "y": y},
        },
        {
            "data": values([{"value": spread.median}]),
            "mark": {"type": "rule", "color": style.INK, "strokeWidth": 1.5},
            "encoding": {"y": y},
        },
    ]
    return {"width": facet.width, "height": HEIGHT, "layer": facet.titled(layers)}
