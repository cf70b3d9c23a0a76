"""Draws the effects of a screen's factors: the largest on top, ratio and interval around 1."""

from __future__ import annotations

from assay.reporting.report.charts import ratios, style
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.screening import EffectBar, effect_bars, is_single, ranked
from assay.reporting.report.tables.write import word
from assay.results.stats import around

PANELS = 3  # measures and load points that there is room for
LABELS = 300  # pixels of a factor's name
BETWEEN = 20


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
    side = min(max(map(style.pixels, rows)), LABELS)
    at_right = ratios.words_room([word(bar.word, words) for bar in bars])
    width = (style.WIDTH + 60 - side - (at_right + BETWEEN) * len(panels)) // len(panels)
    region = around(1.0, effects[0].comparison.margin)
    titles = style.title_lines([_title(material, measure, load) for measure, load in panels], width)
    specs: list[Spec] = []
    bands: list[bool] = []
    for panel, title in zip(panels, titles, strict=True):
        shown = [bar for bar in bars if (bar.measure, bar.load) == panel]
        ends = [region.low, region.high]
        ends += [end for bar in shown for end in (bar.low, bar.high, bar.ratio) if end]
        x = ratios.ratio_axis(ends, words("column.ratio"), width)
        bands.append(ratios.sees_band(region, x, width))
        y: Spec = {
            "field": "row",
            "type": "nominal",
            "sort": rows,
            "scale": {"domain": rows, "padding": 0.3},
            "axis": style.rows_axis(rows, LABELS, shown=not specs),
        }
        data = [
            {**vars(bar), "row": _name(bar, names), "one": 1, "word_shown": word(bar.word, words)}
            for bar in shown
        ]
        layers = [*ratios.band(region, x, width), *_bars(x, y), ratios.words_column(y, width)]
        specs.append(
            {
                "width": width,
                "height": {"step": max(26, style.row_height(rows, LABELS))},
                "data": values(data),
                "layer": [*layers, style.written(title)],
            }
        )
    single, known = is_single(effects), any(bar.low is not None for bar in bars)
    parts = {
        "effects": not single,
        "effects-of-one-block": single,
        "interval-lines": not single and known,
        "lenth": single and known,
        "region": all(bands),
        "region-of": any(bands) and not all(bands),
    }
    wide = words.listed(
        _title(material, *panel) for panel, is_seen in zip(panels, bands, strict=True) if is_seen
    )
    said = caption(words, parts, measures=wide)
    spec = {"hconcat": specs, "spacing": at_right + BETWEEN, "bounds": "flush"}
    return Chart("comparisons", "tornado", words("chart.tornado"), said, spec, bars)


def _title(material: Material, measure: str, load: float) -> str:
    title = material.words.measure(measure)
    return f"{title} · {material.load_words(load)}" if len(material.results.loads) > 1 else title


def _name(bar: EffectBar, names: dict[str, str]) -> str:
    return names.get(bar.factor) or f"{bar.factor}: {bar.first} → {bar.level}"


def _bars(x: Spec, y: Spec) -> list[Spec]:
    return [
        {
            "mark": {"type": "bar", "opacity": 0.85},
            "encoding": {
                "x": {**x, "field": "one"},
                "x2": {"field": "ratio"},
                "y": y,
                "color": ratios.colour_of_words(),
            },
        },
        ratios.line_at_one(x),
        {
            "mark": {"type": "rule", "strokeWidth": 1.5, "color": style.INK},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
            "transform": [{"filter": "isValid(datum.low)"}],
        },
    ]
