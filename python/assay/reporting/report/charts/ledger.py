"""Draws what a difference is made of: a bar for each group of a ledger, with its interval around 0."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import difference_scale, figures
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.charts.telling_loads import loads_in_words, panel_title
from assay.reporting.report.material import Material
from assay.reporting.report.records.ledgers import LedgerBar, ledger_bars
from assay.reporting.report.treatment_labels import labels_of

LABELS = 260  # pixels of a group's name
SHOWN = 150  # pixels of the figures beside each row


def draw(material: Material) -> Chart | None:
    """Returns the groups of processor time per query; None where no server was watched."""
    return _drawn(material, "cpu")


def draw_time(material: Material) -> Chart | None:
    """Returns the groups of time per transaction; None where no server was watched."""
    return _drawn(material, "time")


def _drawn(material: Material, ledger: str) -> Chart | None:
    found, words = ledger_bars(material, ledger), material.words
    if not found:
        return None
    labels = max(style.pixels(line) for bar in found for line in style.broken(bar.name, LABELS))
    width = style.WIDTH + 60 - labels - SHOWN
    ends = [end for bar in found for end in (bar.low, bar.high, bar.change) if end is not None]
    scale, ticks = difference_scale(ends)
    treatments, called = list(dict.fromkeys(bar.treatment for bar in found)), labels_of(material)
    titles = {one: panel_title(material, called.keyed[one], found, one) for one in treatments}
    panels = []
    axis_title = style.broken(words("chart.ledger-axis", baseline=called.keyed[found[0].baseline]), width)
    for treatment in treatments:
        is_last = treatment == treatments[-1]
        axis = figures(axis_title if is_last else None, values=ticks, labels=is_last, ticks=is_last)
        x: Spec = {"type": "quantitative", "scale": scale, "axis": axis}
        bars = [bar for bar in found if bar.treatment == treatment]
        panels.append(_panel(bars, x, titles[treatment], labels, width))
    parts = {
        "ledger-moved": any(bar.word == "moved" for bar in found),
        "ledger-open": any(bar.word != "moved" for bar in found),
        "interval-lines": any(bar.low is not None for bar in found),
    }
    load = loads_in_words(material, found)
    said = caption(words, parts, baseline=called.of[found[0].baseline], load=load)
    room = 16 + 17 * max(len(style.broken(title, width)) for title in titles.values())
    spec = {"vconcat": panels, "spacing": room, "bounds": "flush"} if len(panels) > 1 else panels[0]
    title = words(f"ledger.title-{ledger}")
    return Chart("why", f"ledger-{ledger}", title, said, spec, found, method=words("chart.ledger-method"))


def _panel(bars: Sequence[LedgerBar], x: Spec, title: str, labels: int, width: int) -> Spec:
    rows = [bar.name for bar in bars]
    data = [{**vars(bar), "none": 0} for bar in bars]
    y: Spec = {
        "field": "name",
        "type": "nominal",
        "sort": rows,
        "scale": {"domain": rows, "padding": 0.3},
        "axis": {**style.rows_axis(rows, LABELS), "minExtent": labels},
    }
    colour = {
        "condition": {"test": "datum.word == 'moved'", "value": style.SERIES[0]},
        "value": style.AXIS,
    }
    return {
        "width": width,
        "height": {"step": max(22, style.row_height(rows, LABELS))},
        "data": values(data),
        "layer": [
            {
                "mark": {"type": "bar"},
                "encoding": {
                    "x": {**x, "field": "none"},
                    "x2": {"field": "change"},
                    "y": y,
                    "color": colour,
                },
            },
            {"mark": {"type": "rule", "color": style.AXIS}, "encoding": {"x": {**x, "field": "none"}}},
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": style.INK},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
                "transform": [{"filter": "isValid(datum.low)"}],
            },
            {
                "mark": {"type": "text", "align": "left", "fontSize": 11, "color": style.INK},
                "encoding": {"x": {"value": width + 10}, "y": y, "text": {"field": "said"}},
            },
            style.written(style.broken(title, width), size=12),
        ],
    }
