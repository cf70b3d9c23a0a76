"""Draws what connections wait for: the share of time of each kind of statement, by load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.base.numbers import number
from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.charts.facets import Facet, beside, facets_of
from assay.reporting.report.material import Material
from assay.reporting.report.records.statements import WaitShare, wait_shares

HEIGHT = 220
WIDEST_BAR = 120
BETWEEN = 14


def draw(material: Material) -> Chart | None:
    """Returns bars that are stacked to the whole, one a load, treatments side by side."""
    shares, words = wait_shares(material), material.words
    if not shares:
        return None
    names = {one.statement: one.statement or words("waits.rest") for one in shares}
    kinds = list(names.values())
    if (rest := names.get("")) is not None:  # last, though one treatment alone may have it
        kinds = [*(name for name in kinds if name != rest), rest]
    facets = facets_of(material, list(dict.fromkeys(one.treatment for one in shares)), BETWEEN)
    panels = [
        _panel(
            material,
            [one for one in shares if one.treatment == facet.treatment],
            names,
            kinds,
            facet,
        )
        for facet in facets
    ]
    spec = {**beside(facets, panels, BETWEEN), "resolve": style.SHARED}
    said = caption(words, {"wait-bars": True})
    method = words("chart.waits-method")
    return Chart("results", "waits", words("chart.waits"), said, spec, shares, method=method)


def _panel(
    material: Material,
    shares: Sequence[WaitShare],
    names: Mapping[str, str],
    kinds: Sequence[str],
    facet: Facet,
) -> Spec:
    bar = min(WIDEST_BAR, round(0.8 * facet.width / max(1, len({one.load for one in shares}))))
    rows = [
        {
            **vars(one),
            "kind": names[one.statement],
            "order": kinds.index(names[one.statement]),
            "percent": 100 * one.share,
            "at": number(one.load),
        }
        for one in shares
    ]
    layer: Spec = {
        "mark": {"type": "bar", "opacity": 0.85, "width": bar},
        "encoding": {
            "x": {
                "field": "at",
                "type": "ordinal",
                "sort": None,
                "axis": {
                    "title": material.words(f"load.{material.results.load_kind}")
                    if facet.is_corner
                    else None,
                    "labelAngle": 0,
                    "titleAnchor": "start",
                },
            },
            "y": {
                "field": "percent",
                "type": "quantitative",
                "stack": "zero",
                "scale": {"domain": [0, 100]},
                "axis": figures(
                    material.words("chart.waits-axis") if facet.is_first else None, labels=facet.is_first
                ),
            },
            "order": {"field": "order", "type": "quantitative"},
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": {"domain": list(kinds), "range": style.cycled(style.SERIES, len(kinds))},
                "legend": {"orient": "top", "title": None, "columns": 4},
            },
        },
    }
    layers = facet.titled([layer])
    return {"width": facet.width, "height": HEIGHT, "data": values(rows), "layer": layers}
