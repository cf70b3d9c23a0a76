"""Draws the load's figures over the server's and the host's signals, second by second, one column a
treatment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import Any

from assay.reporting.report.charts import limits, style
from assay.reporting.report.charts.axes import figures
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.charts.facets import headed, titles_of
from assay.reporting.report.material import Material
from assay.reporting.report.records.flat import Telling, telling
from assay.reporting.report.records.limits import Limit, level_limits
from assay.reporting.report.records.seconds import lasting
from assay.reporting.report.records.signals import PANELS
from assay.reporting.report.records.timeline import (
    Mark,
    TimePoint,
    machine_timeline,
    marks,
    timeline,
    typical_block,
)
from assay.reporting.report.treatment_labels import labels_of
from assay.reporting.report.words import Words

HEIGHTS = {"tps": 110, "iops": 110, "moved": 110, "p95": 110, "lag": 110}
OTHER_HEIGHT = 80
NARROWEST = 90
FEW = 15
GAP = 2.5  # usual steps of a series without a value, before its line ends
NAME_HEIGHT = 13  # of a dashed line's name, which stands on its side
STACKED = {"moved", *(panel.key for panel in PANELS if panel.stacked)}
MEASURES = {"tps": "tps", "iops": "iops", "p95": "p95_ms"}
"""The measure whose limits a panel shows."""
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
    """Returns a chart of the panels that show something; None where none does."""
    words, load = material.words, max(material.results.loads, default=None)
    block = typical_block(material, load) if load is not None else None
    if load is None or block is None:
        return None
    records = read(material, load, block)
    found = telling(records)
    points = found.points
    if not points:
        return None
    marked = [mark for mark in marks(material, load, block) if _is_inside(mark, points)]
    held = {
        t: level_limits(material, list(MEASURES.values()), treatment=t, load=load)
        for t in {point.treatment for point in points}
    }
    every = [one for of in held.values() for one in of]
    parts = {
        "block-at-load": True,
        "warmup": span_of(points)[0] < 0,
        "marks": bool(marked),
        "disks": name == "timeline-machine" and _has_disks(points),
    }
    said = caption(
        words,
        parts,
        left_out(words, found),
        limits.caption(near(points, every), every, words),
        block=block,
        load=material.load_words(load),
        names=words.listed(dict.fromkeys(_said(material, mark) for mark in marked)),
    )
    spec = panels_of(material, points, marked, held)
    title, method = words(f"chart.{name}"), words("chart.timeline-method")
    return Chart("timeline", name, title, said, spec, records, folded=folded, method=method)


def left_out(words: Words, found: Telling) -> str:
    """Returns which panels were left out, and why; empty where none was."""
    kinds = {"flat": found.flat, "few-values": found.few}
    return words.sentences(
        words(f"chart.{kind}", names=words.listed(words.get(f"panel.{panel}", panel) for panel in panels))
        for kind, panels in kinds.items()
        if panels
    )


def span_of(points: Sequence[TimePoint]) -> tuple[float, float]:
    """Returns the time that the axis of these points has, from the first begin to the last end."""
    times = lasting(points)
    return (
        min(point.t_s - times[point.panel, point.treatment].before for point in points),
        max(point.t_s + times[point.panel, point.treatment].after for point in points),
    )


def _is_inside(mark: Mark, points: Sequence[TimePoint]) -> bool:
    first, last = span_of(points)
    return first <= mark.t_s <= last


def _has_disks(points: Sequence[TimePoint]) -> bool:
    """Returns whether a panel of disks has a line for each of several."""
    disks: dict[str, set[str]] = {}
    for point in points:
        if point.panel.startswith("disk"):
            disks.setdefault(point.panel, set()).add(point.series)
    return any(len(of) > 1 for panel, of in disks.items() if panel != "disk_iops")


def panels_of(
    material: Material,
    points: Sequence[TimePoint],
    marked: Sequence[Mark],
    held: Mapping[str, Sequence[Limit]],
    *,
    zoom: bool = False,
) -> Spec:
    """Returns a row of cells a panel, one cell a treatment, all cells of a row on one scale: from zero, or
    with `zoom` just around the values of lines. `held` are limits by treatment.
    """
    words, present = material.words, {point.treatment for point in points}
    treatments = [t for t in material.results.treatments if t in present]
    panels = list(dict.fromkeys(point.panel for point in points))
    span, times = span_of(points), lasting(points)
    width = max(NARROWEST, (style.WIDTH - 22 * (len(treatments) - 1)) // len(treatments))
    titles, header = titles_of(labels_of(material), treatments, width)
    heads = {
        one: headed(title, header if one == treatments[0] else "")
        for one, title in zip(treatments, titles, strict=True)
    }
    rows = []
    for panel in panels:
        here = [point for point in points if point.panel == panel]
        series = list(dict.fromkeys(point.series for point in here))
        shown = {t: near(here, held.get(t, ())) for t in treatments}
        edges = [one.value for of in shown.values() for one in of]
        cells = [
            _cell(
                material,
                [point for point in here if point.treatment == treatment],
                heads[treatment] if panel == panels[0] else None,
                shift=times[panel, treatment].to_middle if (panel, treatment) in times else 0.0,
                series=series,
                named=series != [panel],
                stacked=panel in STACKED,
                first=treatment == treatments[0],
                last=panel == panels[-1],
                span=span,
                at=[(mark.t_s, _said(material, mark)) for mark in marked if mark.treatment == treatment],
                held=shown[treatment],
                domain=_domain(here, edges, stacked=panel in STACKED, zoom=zoom),
                size=(width, HEIGHTS.get(panel, OTHER_HEIGHT)),
                axis=(words.get(f"panel.{panel}", panel), words.unit(here[0].unit)),
            )
            for treatment in treatments
        ]
        rows.append({"hconcat": cells, "spacing": 20, "bounds": "flush"})
    return {"vconcat": rows, "spacing": 14, "resolve": {"scale": {"color": "independent"}}}


def near(points: Sequence[TimePoint], held: Sequence[Limit]) -> list[Limit]:
    """Returns the limits that the panels of these points show."""
    return [
        one
        for panel in dict.fromkeys(point.panel for point in points)
        for one in limits.within_reach(
            (one for one in held if one.measure == MEASURES.get(panel)),
            (point.value for point in points if point.panel == panel),
        )
    ]


def _domain(points: Sequence[TimePoint], edges: Sequence[float], *, stacked: bool, zoom: bool) -> list[float]:
    """Returns the axis of a row of cells: from 0, or from near the lowest value, to the highest, stacked
    series summed, with a little room.
    """
    sums: dict[tuple[str, str, float], float] = {}
    for point in points:
        place = (point.treatment, "" if stacked else point.series, point.t_s)
        sums[place] = sums.get(place, 0.0) + point.value
    low, high = min([*sums.values(), *edges]), max([*sums.values(), *edges])
    if zoom and not stacked and high > low:
        return [low - 0.06 * (high - low), high + 0.06 * (high - low)]
    return [0, high * 1.06 or 1.0]


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
            yield vars(point)
            if step > GAP * usual:
                if alone:  # a line of one point would not be seen
                    yield {**vars(point), "t_s": point.t_s + usual / 2}
                yield {**vars(point), "t_s": point.t_s + usual, "value": None}
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
    title: Sequence[Spec] | None,
    *,
    shift: float,
    series: Sequence[str],
    named: bool,
    stacked: bool,
    first: bool,
    last: bool,
    span: tuple[float, float],
    at: Sequence[tuple[float, str]],
    held: Sequence[Limit],
    domain: Sequence[float],
    size: tuple[int, int],
    axis: tuple[str, str],
) -> Spec:
    words = material.words
    x: Spec = {
        "field": "at",
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
        "scale": {"domain": list(domain), "nice": False},
        "axis": figures(list(axis) if first else None, labels=first, tickCount=3),
    }
    labels = [words.get(f"signal.{name}", name) for name in series]
    drawn: Spec = {
        "data": values(
            [
                {
                    **row,
                    "at": row["t_s"] + shift,
                    "series": words.get(f"signal.{row['series']}", row["series"]),
                }
                for row in (map(vars, points) if stacked else broken(points))
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
    layers += limits.rules(held, "y", y, words, end=size[0])
    if span[0] < 0:
        layers.insert(
            0,
            {
                "data": values([{"from": span[0], "to": 0}]),
                "mark": {"type": "rect", "color": style.SHADE, "opacity": 1},
                "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
            },
        )
    if not points:
        layers.append(
            style.written([words("chart.no-values")], x=4, y=14, colour=style.MUTED, weight="normal", size=11)
        )
    layers += title or ()
    return {"width": size[0], "height": size[1], "layer": layers}
