"""Draws a latency heat map of one block: it shows stalls and second modes, which percentiles hide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.base.numbers import number
from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.charts.facets import Facet, beside, facets_of
from assay.reporting.report.material import Material
from assay.reporting.report.records.heat import HeatCell, columns, heat
from assay.reporting.report.records.timeline import typical_block

HEIGHT = 220
BETWEEN = 20
FAINTEST = 0.06  # a single slow operation among thousands must be seen


def draw(material: Material) -> Chart | None:
    """Returns the block nearest to the median at the highest load point, treatments side by side."""
    load = max(material.results.loads, default=None)
    block = typical_block(material, load) if load is not None else None
    if load is None or block is None:
        return None
    return _drawn(material, heat(material, load, block), block)


def draw_run(material: Material, treatment: str, load: float, block: int) -> Chart | None:
    """Returns one load point of one run."""
    return _drawn(material, heat(material, load, block, [treatment]), block)


def _drawn(material: Material, cells: Sequence[HeatCell], block: int) -> Chart | None:
    if all(cell.warmup for cell in cells):
        return None
    words = material.words
    treatments = list(dict.fromkeys(cell.treatment for cell in cells))
    facets = facets_of(material, treatments, BETWEEN)
    panels = [_panel(material, cells, facet) for facet in facets]
    step = max(cell.seconds for cell in cells)
    parts = {"block": True, "strength": True, "lines": True, "warmup": _starts(cells) < 0}
    said = caption(
        words,
        parts,
        block=block,
        step=number(step, 0 if step >= 1 else None),
        share=number(100 * max(cell.share for cell in cells), 0),
    )
    spec = beside(facets, panels, BETWEEN)
    return Chart("timeline", "heat", words("chart.heat"), said, spec, cells)


def _starts(cells: Sequence[HeatCell]) -> float:
    return min(cell.t_s for cell in cells)


def _panel(material: Material, cells: Sequence[HeatCell], facet: Facet) -> Spec:
    here = [cell for cell in cells if cell.treatment == facet.treatment]
    span = (_starts(cells), max(cell.t_s + cell.seconds for cell in cells))
    scale, ticks = log_scale([end for cell in cells for end in (cell.low_ms, cell.high_ms, cell.max_ms)])
    x: Spec = {
        "type": "quantitative",
        "scale": {"domain": list(span), "nice": False},
        "axis": {
            "title": material.words("chart.seconds") if facet.is_corner else None,
            "grid": False,
            "tickCount": 5,
            "titleAnchor": "start",
        },
    }
    title = material.words("chart.latency-axis") if facet.is_first else None
    y: Spec = {
        "type": "quantitative",
        "scale": scale,
        "axis": figures(title, values=ticks, labels=facet.is_first, grid=False),
    }
    shade: Spec = {
        "field": "share",
        "type": "quantitative",
        "scale": {"type": "sqrt", "domain": [0, max(cell.share for cell in cells)], "range": [FAINTEST, 1]},
        "legend": None,  # the caption says how much the strongest is
    }
    layers: list[Spec] = []
    if span[0] < 0:
        layers.append(
            {
                "data": values([{"from": span[0], "to": 0}]),
                "mark": {"type": "rect", "color": style.SHADE, "opacity": 1},
                "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
            }
        )
    layers += [
        {
            "data": values([{**vars(cell), "end_s": cell.t_s + cell.seconds} for cell in here]),
            "mark": {"type": "rect", "color": style.SERIES[0]},
            "encoding": {
                "x": {**x, "field": "t_s"},
                "x2": {"field": "end_s"},
                "y": {**y, "field": "low_ms"},
                "y2": {"field": "high_ms"},
                "fillOpacity": shade,
            },
        },
        {
            "data": values(list(_lines(here))),
            "layer": [
                {"mark": {"type": "line", "strokeWidth": 1, "color": style.INK, **dash}, "encoding": encoding}
                for dash, encoding in (
                    ({}, {"x": {**x, "field": "at"}, "y": {**y, "field": "p50_ms"}}),
                    ({"strokeDash": [3, 2]}, {"x": {**x, "field": "at"}, "y": {**y, "field": "p99_ms"}}),
                )
            ]
            + [
                {
                    "mark": {"type": "point", "filled": True, "size": 7, "color": style.INK, "opacity": 1},
                    "encoding": {"x": {**x, "field": "at"}, "y": {**y, "field": "max_ms"}},
                }
            ],
        },
    ]
    return {"width": facet.width, "height": HEIGHT, "layer": facet.titled(layers)}


def _lines(cells: Sequence[HeatCell]) -> Iterator[dict[str, float | None]]:
    """Yields the middle of each column with its percentiles, and a null where time without operations breaks
    the lines.
    """
    end = None
    for cell in columns(cells):
        if end is not None and cell.t_s - end > cell.seconds / 2:
            yield {"at": end, "p50_ms": None, "p99_ms": None, "max_ms": None}
        end = cell.t_s + cell.seconds
        at = cell.t_s + cell.seconds / 2
        yield {"at": at, "p50_ms": cell.p50_ms, "p99_ms": cell.p99_ms, "max_ms": cell.max_ms}
