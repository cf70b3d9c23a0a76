"""Draws bars by treatment, one small panel a measure, each on its own scale from zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, level_scale
from assay.reporting.report.charts.captions import Parts
from assay.reporting.report.charts.chart import Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.treatment_labels import Labels, labels_of

COLUMNS = 3
LABELS = 220  # pixels of a treatment's name, which is broken into lines beyond
BETWEEN = 24
MOST_TICKS = 4


class Bar(Protocol):
    """A dataclass with a value for a treatment; `low` and `high` are None where no interval is known."""

    @property
    def measure(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def treatment(self) -> str: ...
    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def bars(material: Material, found: Sequence[Bar]) -> Spec:
    """Returns the panels, three to a row, of which the first names the treatments."""
    labels, measures = labels_of(material), list(dict.fromkeys(bar.measure for bar in found))
    columns = min(COLUMNS, len(measures))
    names = min(max(map(style.pixels, [*labels.names, labels.header])), LABELS)
    width = (style.WIDTH + 60 - names - BETWEEN * (columns - 1)) // columns
    rows = []
    for start in range(0, len(measures), columns):
        here = measures[start : start + columns]
        titles = style.title_lines([material.words.measure(measure) for measure in here], width)
        panels = [
            _panel(
                material,
                [bar for bar in found if bar.measure == measure],
                title,
                labels,
                width,
                first=at == 0,
            )
            for at, (measure, title) in enumerate(zip(here, titles, strict=True))
        ]
        rows.append({"hconcat": panels, "spacing": BETWEEN, "bounds": "flush"})
    return {"vconcat": rows, "spacing": 22}


def parts_of(found: Sequence[Bar], blocks: int) -> Parts:
    """Returns what the chart of these bars draws."""
    return {
        "bar-means": blocks > 1,
        "bar-only-block": blocks == 1,
        "interval-lines": any(bar.low is not None for bar in found),
        "cut-at-zero": any(_is_cut(bar, found) for bar in found),
    }


def _is_cut(bar: Bar, found: Sequence[Bar]) -> bool:
    return bar.low is not None and bar.low < 0 and _has_no_negatives(bar.measure, found)


def _has_no_negatives(measure: str, found: Sequence[Bar]) -> bool:
    return all(bar.value >= 0 for bar in found if bar.measure == measure)


def _panel(
    material: Material,
    found: Sequence[Bar],
    title: Sequence[str],
    labels: Labels,
    width: int,
    *,
    first: bool,
) -> Spec:
    names, unit = labels.names, material.words.unit(found[0].unit)
    y: Spec = {
        "field": "treatment",
        "type": "nominal",
        "sort": names,
        "scale": {"domain": names, "padding": 0.3},
        "axis": style.rows_axis(names, LABELS, labels.header, shown=first),
    }
    scale, ticks = level_scale([end for bar in found for end in (bar.value, bar.high or 0.0)], MOST_TICKS)
    x: Spec = {"type": "quantitative", "scale": scale, "axis": figures(unit or None, values=ticks)}
    from_zero = [style.FROM_ZERO]
    if not _has_no_negatives(found[0].measure, found):
        x = {
            "type": "quantitative",
            "scale": {"zero": True},
            "axis": figures(unit or None, tickCount=MOST_TICKS),
        }
        from_zero = [{"calculate": "datum.low", "as": "from"}]
    colour = style.colour(names, legend=False)
    layers: list[Spec] = [
        {
            "mark": {"type": "bar", "opacity": 0.85},
            "encoding": {"y": y, "color": colour, "x": {**x, "field": "value"}},
        },
    ]
    if any(bar.low is not None for bar in found):
        layers.append(
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": style.INK},
                "encoding": {"y": y, "x": {**x, "field": "from"}, "x2": {"field": "high"}},
                "transform": [{"filter": "isValid(datum.low)"}, *from_zero],
            }
        )
    return {
        "data": values(labels.rows(found)),
        "width": width,
        "height": {"step": max(24, style.row_height(names, LABELS))},
        "layer": [*layers, style.written(title)],
    }
