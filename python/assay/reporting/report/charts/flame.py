"""Draws the flame graph of differences: every function as wide as its processor time of a query, and coloured
where the difference is certain.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.numbers import number
from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.charts.telling_loads import loads_in_words, panel_title
from assay.reporting.report.material import Material
from assay.reporting.report.records.flame import FlameFrame, FrameWord, flame_frames
from assay.reporting.report.treatment_labels import labels_of
from assay.reporting.report.words import Words

_ROW = 16  # pixels of a frame's height
_LEAST_SHARE = 0.004  # of the whole: three pixels
_DEEPEST = 45  # frames above each other that a page can show
_SMALL = 0.85  # of the width of an axis label: names are written smaller
_AROUND = 8  # pixels that a name needs beside it
_COLOURS: dict[FrameWord, str] = {"more": "#d55e00", "less": "#0072b2", "undecided": style.AXIS}


def draw(material: Material) -> Chart | None:
    """Returns a panel for each treatment, its root below; None where no stacks were seen."""
    found, words = material.once(flame_frames), material.words
    if not found:
        return None
    treatments = list(dict.fromkeys(one.treatment for one in found))
    called = labels_of(material)
    panels = [
        _panel(
            [one for one in found if one.treatment == treatment and one.depth <= _DEEPEST],
            panel_title(material, called.keyed[treatment], found, treatment) if len(treatments) > 1 else None,
            words,
            last=treatment == treatments[-1],
        )
        for treatment in treatments
    ]
    parts = {
        "flame": True,
        "flame-certain": any(one.word != "undecided" for one in found),
        "flame-speed": any(one.one_speed for one in found),
    }
    first = found[0]
    said = caption(
        words,
        parts,
        baseline=called.of[first.baseline],
        treatment=words.listed(called.of[one] for one in treatments),
        load=loads_in_words(material, found),
    )
    spec: Spec = {"vconcat": panels, "spacing": 40, "bounds": "flush"} if len(panels) > 1 else panels[0]
    return Chart("why", "flame", words("chart.flame"), said, spec, found, method=words("chart.flame-method"))


def _panel(frames: Sequence[FlameFrame], title: str | None, words: Words, *, last: bool) -> Spec:
    whole_us, deepest = frames[0].end_us, max(one.depth for one in frames)
    rows = [
        {
            "start": one.start_us,
            "end": one.end_us,
            "below": one.depth,
            "above": one.depth + 1,
            "middle": (one.start_us + one.end_us) / 2,
            "line": one.depth + 0.5,
            "word": words(f"chart.flame-{one.word}"),
            "name": _fitting(one, whole_us, words),
            "says": f"{one.name}: {number(one.before_us)} → {number(one.after_us)} µs",
        }
        for one in frames
        if one.end_us - one.start_us >= _LEAST_SHARE * whole_us
    ]
    across: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, whole_us], "nice": False},
        "axis": {**figures(words("chart.flame-axis") if last else None), "grid": False},
    }
    up: Spec = {"type": "quantitative", "scale": {"domain": [0, deepest + 1], "nice": False}, "axis": None}
    order = [words(f"chart.flame-{word}") for word in _COLOURS]
    colour = {
        "field": "word",
        "type": "nominal",
        "scale": {"domain": order, "range": list(_COLOURS.values())},
        "legend": {"title": None, "orient": "top"},
    }
    boxes: Spec = {
        "mark": {"type": "rect", "stroke": style.PAPER, "strokeWidth": 0.7},
        "encoding": {
            "x": {"field": "start", **across},
            "x2": {"field": "end"},
            "y": {"field": "below", **up},
            "y2": {"field": "above"},
            "color": colour,
            "description": {"field": "says"},
        },
    }
    names: Spec = {
        "transform": [{"filter": "datum.name != ''"}],
        "mark": {"type": "text", "fontSize": 10, "color": style.INK, "baseline": "middle"},
        "encoding": {
            "x": {"field": "middle", **across},
            "y": {"field": "line", **up},
            "text": {"field": "name", "type": "nominal"},
        },
    }
    spec: Spec = {
        "data": values(rows),
        "width": style.WIDTH,
        "height": _ROW * (deepest + 1),
        "layer": [boxes, names],
    }
    return {**spec, "title": title} if title is not None else spec


def _fitting(frame: FlameFrame, whole_us: float, words: Words) -> str:
    """Returns the name that is written into a frame, with a sign where its difference is certain: whole, or
    without its class; none where there is no room.
    """
    room = style.WIDTH * (frame.end_us - frame.start_us) / whole_us - _AROUND
    sign = {"more": "+ ", "less": "− ", "undecided": ""}[frame.word]
    name = frame.name or words("chart.flame-whole")
    candidates = (f"{sign}{name}", f"{sign}{name.rpartition('::')[2]}")
    return next((one for one in candidates if _SMALL * style.pixels(one) <= room), "")
