"""Draws the effects of a screen's factors: the largest on top, ratio and interval around 1."""

from __future__ import annotations

import json

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.screening import EffectBar, effect_bars, is_single, ranked
from assay.reporting.report.tables.write import word
from assay.results.stats import around

PANELS = 3  # measures and load points that there is room for
LABELS = 300  # pixels of a factor's name
WORD = 80  # pixels that a verdict word takes
FAR = 8.0  # ratios further apart than this need ticks of decades
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


def draw(material: Material) -> Chart | None:
    """Returns bars from 1 to the ratio, with the interval; None for a study that is no screen."""
    found, words = material.results.screening, material.words
    effects = ranked(material.results)
    if found is None or not effects:
        return None
    bars = effect_bars(material.results)
    # Throughput decides the order in all panels, so that a factor keeps its line.
    first = [bar for bar in bars if (bar.measure, bar.load) == (bars[0].measure, bars[0].load)]
    names = {bar.factor: f"{bar.factor}: {bar.first} → {bar.level}" for bar in first}
    if len({(bar.factor, bar.level) for bar in first}) > len(names):
        names = {}  # several levels of a factor: each has a line
    rows = list(dict.fromkeys(_name(bar, names) for bar in first))
    panels = list(dict.fromkeys((bar.measure, bar.load) for bar in bars))[:PANELS]
    labels = min(max(map(style.pixels, rows)), LABELS)
    lines = {row: style.broken(row, LABELS) if style.pixels(row) > LABELS else [row] for row in rows}
    width = (style.WIDTH + 60 - labels - 24 * (len(panels) - 1)) // len(panels)
    region = around(1.0, effects[0].comparison.margin)
    specs = []
    for index, (measure, load) in enumerate(panels):
        shown = [bar for bar in bars if (bar.measure, bar.load) == (measure, load)]
        title = words.measure(measure)
        if len(material.results.loads) > 1:
            title = f"{title} · {material.load_words(load)}"
        specs.append(
            _panel(
                [
                    {
                        **vars(bar),
                        "row": _name(bar, names),
                        "one": 1,
                        "word_shown": word(bar.word, words),
                    }
                    for bar in shown
                ],
                title,
                rows,
                lines if index == 0 else None,
                (region.low, region.high),
                width,
                words("column.ratio"),
            )
        )
    caption = words("chart.tornado-caption-lenth" if is_single(effects) else "chart.tornado-caption")
    spec = {"hconcat": specs, "spacing": 24}
    return Chart("comparisons", "tornado", words("chart.tornado"), caption, spec, bars)


def _name(bar: EffectBar, names: dict[str, str]) -> str:
    return names.get(bar.factor) or f"{bar.factor}: {bar.first} → {bar.level}"


def _ticks(low: float, high: float) -> list[float]:
    """Returns ticks in even steps from 1, six at most; of ratios far apart 1, 2 and 5 of each decade."""
    if high / low > FAR:
        return log_scale([low, high])[1]
    step = next(step for step in STEPS if (high - low) / step <= 5)
    return [
        round(1 + number * step, 6) for number in range(-int((1 - low) / step), int((high - 1) / step) + 1)
    ]


def _panel(
    rows: list[Spec],
    title: str,
    order: list[str],
    lines: dict[str, list[str]] | None,
    region: tuple[float, float],
    width: int,
    axis: str,
) -> Spec:
    ends = [*region, *(end for row in rows for end in (row["low"], row["high"], row["ratio"]) if end)]
    low, high = min(ends), max(ends)
    room = (high / low) ** (WORD / (width - WORD))
    domain = [low / (high / low) ** 0.05, high * room]
    x: Spec = {
        "type": "quantitative",
        # Logarithmic, so that twice and half reach equally far.
        "scale": {"type": "log", "domain": domain, "nice": False},
        "axis": figures(axis, values=_ticks(min(ends), max(ends))),
    }
    y: Spec = {
        "field": "row",
        "type": "nominal",
        "sort": order,
        "scale": {"domain": order, "padding": 0.3},
        "axis": {"title": None, "labelLimit": 0, "labels": lines is not None, "ticks": False},
    }
    if lines is not None:
        y["axis"]["labelExpr"] = f"{json.dumps(lines)}[datum.label]"
    colour = {
        "field": "word",
        "type": "nominal",
        "scale": {"domain": list(style.VERDICTS), "range": list(style.VERDICTS.values())},
        "legend": None,
    }
    band = {"from": max(region[0], domain[0]), "to": min(region[1], domain[1]), "one": 1}
    return {
        "title": title,
        "width": width,
        "height": {"step": 26},
        "data": values(rows),
        "layer": [
            {
                "data": values([band]),
                "mark": {"type": "rect", "color": style.SHADE, "opacity": 1},
                "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
            },
            {
                "mark": {"type": "bar", "opacity": 0.85},
                "encoding": {"x": {**x, "field": "one"}, "x2": {"field": "ratio"}, "y": y, "color": colour},
            },
            {
                "data": values([band]),
                "mark": {"type": "rule", "color": style.AXIS},
                "encoding": {"x": {**x, "field": "one"}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": style.INK},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
                "transform": [{"filter": "isValid(datum.low)"}],
            },
            {
                "mark": {"type": "text", "align": "right", "fontSize": 10.5},
                "encoding": {
                    "x": {"value": width},
                    "y": y,
                    "text": {"field": "word_shown"},
                    "color": colour,
                },
            },
        ],
    }
