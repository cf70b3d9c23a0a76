"""Draws the load's figures over the server's and the host's signals, second by second, one column a
treatment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby, pairwise
from statistics import median
from typing import Any

from assay.report.charts import style
from assay.report.charts.axes import figures
from assay.report.charts.chart import Chart, Spec, values
from assay.report.material import Material
from assay.report.records.signals import PANELS
from assay.report.records.timeline import Mark, TimePoint, machine_timeline, marks, timeline, typical_block

HEIGHTS = {"tps": 110, "iops": 110, "moved": 110, "p95": 110, "lag": 110}
OTHER_HEIGHT = 80
NARROWEST = 170
FEW = 15
GAP = 2.5  # usual steps of a series without a value, before its line ends
NAME_HEIGHT = 13  # of a dashed line's name, which stands on its side
STACKED = {"moved", *(panel.key for panel in PANELS if panel.stacked)}
LEGEND: Spec = {
    "orient": "top",
    "title": None,
    "direction": "horizontal",
    "labelFontSize": 11,
    "symbolSize": 50,
    "offset": 2,
}


def draw(material: Material) -> Chart | None:
    """Returns the highest rung of the block nearest to the median, all treatments side by side on shared
    scales.
    """
    return _drawn(material, timeline, "timeline")


def draw_machine(material: Material) -> Chart | None:
    """Returns the remaining signals of the machine at that time."""
    return _drawn(material, machine_timeline, "timeline-machine", folded=True)


def _drawn(
    material: Material,
    read: Callable[[Material, float, int], list[TimePoint]],
    name: str,
    *,
    folded: bool = False,
) -> Chart | None:
    words, load = material.words, max(material.results.loads, default=None)
    block = typical_block(material, load) if load is not None else None
    if load is None or block is None:
        return None
    points = read(material, load, block)
    if not points:
        return None
    present = {point.treatment for point in points}
    treatments = [t for t in material.results.treatments if t in present]
    panels = list(dict.fromkeys(point.panel for point in points))
    marked = marks(material, load, block)
    span = (min(point.t_s for point in points), max(point.t_s for point in points))
    width = max(NARROWEST, (style.WIDTH - 22 * (len(treatments) - 1)) // len(treatments))
    rows = []
    for panel in panels:
        here = [point for point in points if point.panel == panel]
        series = list(dict.fromkeys(point.series for point in here))
        top = _top(here, stacked=panel in STACKED)
        cells = [
            _cell(
                material,
                [point for point in here if point.treatment == treatment],
                treatment if panel == panels[0] else None,
                series=series,
                named=series != [panel],
                stacked=panel in STACKED,
                first=treatment == treatments[0],
                last=panel == panels[-1],
                span=span,
                at=[(mark.t_s, _said(material, mark)) for mark in marked if mark.treatment == treatment],
                top=top,
                size=(width, HEIGHTS.get(panel, OTHER_HEIGHT)),
                axis=(words.get(f"panel.{panel}", panel), words.unit(here[0].unit)),
            )
            for treatment in treatments
        ]
        rows.append({"hconcat": cells, "spacing": 20, "bounds": "flush"})
    caption = words(f"chart.{name}-caption", block=block, load=material.load_words(load))
    if marked:
        names = material.words.listed(dict.fromkeys(_said(material, mark) for mark in marked))
        caption = words.sentences([caption, words("chart.timeline-marks", names=names)])
    spec = {"vconcat": rows, "spacing": 14, "resolve": {"scale": {"color": "independent"}}}
    return Chart("timeline", name, words(f"chart.{name}"), caption, spec, points, folded=folded)


def _top(points: Sequence[TimePoint], *, stacked: bool) -> float:
    """Returns the highest value of a row of cells, stacked series summed, with a little room above."""
    sums: dict[tuple[str, str, float], float] = {}
    for point in points:
        place = (point.treatment, "" if stacked else point.series, point.t_s)
        sums[place] = sums.get(place, 0.0) + point.value
    return max(sums.values()) * 1.06 or 1.0


def _said(material: Material, mark: Mark) -> str:
    return material.words.get(f"moment.{mark.name}", mark.name)


def _names(marked: Sequence[tuple[float, str]], x: Spec, pixel_s: float, height: int) -> Spec:
    """Returns the names of dashed lines, each after its line where a dip leaves room, without overlaps."""
    apart: list[tuple[float, str]] = []
    for t_s, name in marked:
        if not apart or t_s - apart[-1][0] >= NAME_HEIGHT * pixel_s:
            apart.append((t_s, name))
    return {
        "data": values([{"at": t_s, "name": name} for t_s, name in apart]),
        "mark": {
            "type": "text",
            "angle": 270,
            "align": "right",
            "baseline": "top",
            "dx": -2,
            "dy": 3,
            "fontSize": 9,
            "limit": height,
            "color": style.INK,
        },
        "encoding": {"x": {**x, "field": "at"}, "y": {"value": 0}, "text": {"field": "name"}},
    }


def broken(points: Sequence[TimePoint]) -> Iterator[dict[str, Any]]:
    """Yields the points, with a null wherever a series has no values for a while, so that no line is drawn
    across.

    An example is the latency of reads while a device gets none, or has failed.
    """
    for _, found in groupby(sorted(points, key=lambda p: (p.series, p.t_s)), key=lambda p: p.series):
        line = list(found)
        steps = [after.t_s - before.t_s for before, after in pairwise(line)]
        usual = median(steps) if steps else 0.0
        alone = True
        for point, step in zip(line, [*steps, 0.0], strict=True):
            yield asdict(point)
            if step > GAP * usual:
                if alone:  # a line of one point would not be seen
                    yield {**asdict(point), "t_s": point.t_s + usual / 2}
                yield {**asdict(point), "t_s": point.t_s + usual, "value": None}
            alone = step > GAP * usual


def _line(points: Sequence[TimePoint], *, inked: bool) -> Spec:
    """Returns a line, with its points while they are few enough to be told apart (a single point makes no
    line).
    """
    ink = {"color": style.INK} if inked else {}
    dots = {"size": 14, "filled": True, **ink} if len(points) <= FEW else False
    return {"type": "line", "strokeWidth": 1.3, "point": dots, **ink}


def _cell(
    material: Material,
    points: Sequence[TimePoint],
    title: str | None,
    *,
    series: Sequence[str],
    named: bool,
    stacked: bool,
    first: bool,
    last: bool,
    span: tuple[float, float],
    at: Sequence[tuple[float, str]],
    top: float,
    size: tuple[int, int],
    axis: tuple[str, str],
) -> Spec:
    words = material.words
    x: Spec = {
        "field": "t_s",
        "type": "quantitative",
        "scale": {"domain": list(span), "nice": False},
        "axis": {
            "title": words("chart.seconds") if last and first else None,
            "labels": last,
            "ticks": last,
            "grid": False,
            "tickCount": 5,
            "titleAnchor": "start",
        },
    }
    y: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, top], "nice": False},
        "axis": figures(list(axis) if first else None, labels=first, tickCount=3),
    }
    labels = [words.get(f"signal.{name}", name) for name in series]
    drawn: Spec = {
        "data": values(
            [
                {**row, "series": words.get(f"signal.{row['series']}", row["series"])}
                for row in (map(asdict, points) if stacked else broken(points))
            ]
        ),
        "mark": {"type": "area", "opacity": 0.85} if stacked else _line(points, inked=not named),
        "encoding": {"x": x, "y": y},
    }
    if named:  # a panel of several lines says which, though only one of them was sampled
        parts = [style.PARTS[name] for name in series] if stacked else []
        colours = parts or style.cycled(style.SERIES, len(series))
        drawn["encoding"]["color"] = {
            "field": "series",
            "type": "nominal",
            "scale": {"domain": labels, "range": colours},
            "legend": LEGEND if first else None,
        }
    if stacked:
        drawn["encoding"]["y"]["stack"] = "zero"
        drawn["encoding"]["order"] = {"field": "order", "type": "quantitative"}
        drawn["transform"] = [{"calculate": f"indexof({labels}, datum.series)", "as": "order"}]
    layers = [drawn]
    if inside := [mark for mark in at if span[0] <= mark[0] <= span[1]]:
        layers.append(
            {
                "data": values([{"at": t_s} for t_s, _ in inside]),
                "mark": {"type": "rule", "strokeDash": [3, 3], "color": style.INK, "opacity": 0.6},
                "encoding": {"x": {**x, "field": "at"}},
            }
        )
        if title is not None:
            layers.append(_names(inside, x, (span[1] - span[0]) / size[0], size[1]))
    if span[0] < 0:
        layers.insert(
            0,
            {
                "data": values([{"from": span[0], "to": 0}]),
                "mark": {"type": "rect", "color": style.SHADE, "opacity": 1},
                "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
            },
        )
    cell: Spec = {"width": size[0], "height": size[1], "layer": layers}
    return cell if title is None else {**cell, "title": style.broken(title, size[0])}
