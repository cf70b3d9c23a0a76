"""Draws treatments of several results in one picture; a side has the name by which a comparison calls it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from assay.reporting.report.charts import distribution, limits, timeline
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.sentences import told
from assay.reporting.report.material import Material
from assay.reporting.report.records.distribution import chosen_loads, spectrum
from assay.reporting.report.records.flat import telling
from assay.reporting.report.records.limits import Limit, level_limits
from assay.reporting.report.records.timeline import Mark, TimePoint, marks, typical_block
from assay.reporting.report.records.timeline import timeline as seconds

Sides = Mapping[str, tuple[Material, str]]
"""A material and its treatment for each name."""


def common_loads(sides: Sides) -> list[float]:
    """Returns the load points that all sides have, in order; none where their loads are of other kinds."""
    materials = [material for material, _ in sides.values()]
    if len({(one.closed_loop, one.results.load_kind) for one in materials}) > 1:
        return []
    return sorted(set.intersection(*(set(one.results.loads) for one in materials)))


def distribution_of(sides: Sides) -> Chart | None:
    """Returns the latencies of the sides at the load points that all have; None where there are none, or
    where the results have other kinds of time.
    """
    loads = common_loads(sides)
    points = [
        replace(point, treatment=name)
        for name, (material, treatment) in sides.items()
        for point in spectrum(material, chosen_loads(loads))
        if point.treatment == treatment
    ]
    if not loads or {point.treatment for point in points} != sides.keys():
        return None
    shown = _shown(sides)
    percentiles = list(limits.PERCENTILES)
    every = [
        one
        for material, treatment in sides.values()
        for one in level_limits(material, percentiles, treatment=treatment)
    ]
    chart = distribution.drawn(shown, points, every)
    return None if chart is None else told(shown, chart, folded=False)


def timelines_of(sides: Sides, load: float, *, zoom: bool = False) -> Chart | None:
    """Returns the seconds of the sides at one load point, side by side on the same axes: what all of them
    recorded. None where they have nothing in common.

    Sides of one result show one block, so that both saw the same hour; others the block nearest to their own
    median.
    """
    shown, points, marked = _shown(sides), list[TimePoint](), list[Mark]()
    blocks, held = dict[str, int](), dict[str, list[Limit]]()
    for name, (material, treatment) in sides.items():
        alike = [other for one, other in sides.values() if one.store is material.store]
        block = typical_block(material, load, alike)
        if block is None:
            return None
        blocks[name] = block
        held[name] = level_limits(material, list(timeline.MEASURES.values()), treatment=treatment, load=load)
        points += [
            replace(point, treatment=name)
            for point in seconds(material, load, block)
            if point.treatment == treatment
        ]
        marked += [
            replace(mark, treatment=name)
            for mark in marks(material, load, block)
            if mark.treatment == treatment
        ]
    common = [
        panel
        for panel in dict.fromkeys(point.panel for point in points)
        if {point.treatment for point in points if point.panel == panel} == sides.keys()
    ]
    found = telling([point for point in points if point.panel in common])
    common = list(dict.fromkeys(point.panel for point in found.points))
    if not common:
        return None
    # Panel by panel and second by second: what is compared stands together in the table, too.
    points = sorted(found.points, key=lambda point: (common.index(point.panel), point.t_s))
    words = shown.words
    said = words.listed(words("chart.timelines-block", block=blocks[name], side=name) for name in sides)
    every = [one for of in held.values() for one in of]
    parts = {
        "blocks-at-load": True,
        "warmup": timeline.span_of(points)[0] < 0,
        "marks": bool(marked),
    }
    told_of = caption(
        words,
        parts,
        timeline.left_out(words, found),
        limits.caption(timeline.near(points, every), every, words),
        load=shown.load_words(load),
        blocks=said,
        names=words.listed(dict.fromkeys(words.get(f"moment.{mark.name}", mark.name) for mark in marked)),
    )
    spec = timeline.panels_of(shown, points, marked, held, zoom=zoom)
    method = words("chart.timeline-method")
    chart = Chart("", "timelines", words("chart.timelines"), told_of, spec, points, method=method)
    return told(shown, chart, folded=False)


def _shown(sides: Sides) -> Material:
    """Returns a material whose treatments are the sides."""
    first, _ = next(iter(sides.values()))
    return replace(first, results=replace(first.results, treatments=tuple(sides)))
