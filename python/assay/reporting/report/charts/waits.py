"""Draws what connections wait for: the share of time of each kind of statement, by load."""

from __future__ import annotations

from assay.base.numbers import number
from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.statements import wait_shares

HEIGHT = 220
NARROWEST = 90
WIDEST_BAR = 120


def draw(material: Material) -> Chart | None:
    """Returns bars that are stacked to the whole, one a load, treatments side by side."""
    shares, words = wait_shares(material), material.words
    if not shares:
        return None
    names = {one.statement: one.statement or words("waits.rest") for one in shares}
    kinds = list(names.values())
    if (rest := names.get("")) is not None:  # last, though one treatment alone may have it
        kinds = [*(name for name in kinds if name != rest), rest]
    treatments = list(dict.fromkeys(one.treatment for one in shares))
    width = max(NARROWEST, (style.WIDTH - 14 * (len(treatments) - 1)) // len(treatments))
    bar = min(WIDEST_BAR, round(0.8 * width / len({one.load for one in shares})))
    panels: list[Spec] = []
    for treatment in treatments:
        first = treatment == treatments[0]
        here = [
            {
                **vars(one),
                "kind": names[one.statement],
                "order": kinds.index(names[one.statement]),
                "percent": 100 * one.share,
                "at": number(one.load),
            }
            for one in shares
            if one.treatment == treatment
        ]
        title = {"title": style.broken(treatment, width)} if len(treatments) > 1 else {}
        panels.append(
            {
                "width": width,
                "height": HEIGHT,
                "data": values(here),
                "mark": {"type": "bar", "opacity": 0.85, "width": bar},
                "encoding": {
                    "x": {
                        "field": "at",
                        "type": "ordinal",
                        "sort": None,
                        "axis": {
                            "title": words(f"load.{material.results.load_kind}") if first else None,
                            "labelAngle": 0,
                            "titleAnchor": "start",
                        },
                    },
                    "y": {
                        "field": "percent",
                        "type": "quantitative",
                        "stack": "zero",
                        "scale": {"domain": [0, 100]},
                        "axis": figures(words("chart.waits-axis") if first else None, labels=first),
                    },
                    "order": {"field": "order", "type": "quantitative"},
                    "color": {
                        "field": "kind",
                        "type": "nominal",
                        "scale": {"domain": kinds, "range": style.cycled(style.SERIES, len(kinds))},
                        "legend": {"orient": "top", "title": None, "columns": 4} if first else None,
                    },
                },
                **title,
            }
        )
    spec: Spec = {"hconcat": panels, "spacing": 14, "bounds": "flush"}
    return Chart("results", "waits", words("chart.waits"), words("chart.waits-caption"), spec, shares)
