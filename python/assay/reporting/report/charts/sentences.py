"""Says what each chart shows in one sentence, made from the chart's records: the heading of the figure, and a
text for those who do not see it. The list of all such sentences stands here.

A sentence says which value is high or low, and gives no verdict: those are the comparisons'.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from assay.base.numbers import BOUNDS, number, ratio, with_interval
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.ledger_sentences import flame, ledger, why
from assay.reporting.report.charts.phrases import (
    LISTED as LISTED,
)
from assay.reporting.report.charts.phrases import (
    are_many,
    listed,
    phrase,
    second_of,
    spoken,
    values_of,
    with_unit,
)
from assay.reporting.report.material import Material
from assay.reporting.report.readings import measure_title
from assay.reporting.report.records.answer import AnswerPoint
from assay.reporting.report.records.curves import BlockPoint, CurvePoint
from assay.reporting.report.records.distribution import RunQuantile, SpectrumPoint
from assay.reporting.report.records.flat import telling
from assay.reporting.report.records.heat import HeatCell
from assay.reporting.report.records.order import OrderPoint
from assay.reporting.report.records.paired import pairs
from assay.reporting.report.records.ridge import TrailBin, trails
from assay.reporting.report.records.screening import EffectBar
from assay.reporting.report.records.spread import SecondOfLoad, spreads
from assay.reporting.report.records.statements import WaitShare
from assay.reporting.report.records.timeline import TimePoint
from assay.reporting.report.records.trade import TradePoint
from assay.reporting.report.records.usual import counted, line_of, medians_of
from assay.reporting.report.tables.write import word
from assay.results.verdict import Comparison, bound_of

Sentence = Callable[[Material, Sequence[Any]], str]
ONE_IN = 1000
"""The sentence of a latency distribution is about the slowest operation in 1,000, or in fewer where a
treatment has not so many.
"""


def sentence(material: Material, chart: Chart) -> str:
    """Returns the sentence of a chart. Raises KeyError for a chart that has none."""
    return SENTENCES[chart.name](material, chart.records)


def told(part: Material, chart: Chart, *, folded: bool) -> Chart:
    """Returns a chart with its sentence, and names that no other kind of load has."""
    return replace(
        chart,
        name=part.name(chart.name),
        title=part.title(chart.title),
        says=sentence(part, chart),
        # Of a screen the rows of the design come after what the factors do.
        folded=chart.folded or (folded and chart.name != "tornado"),
    )


def _answer(material: Material, points: Sequence[AnswerPoint]) -> str:
    """Says what the answer picture has; its figures are written in it, and the page begins with them."""
    words, first = material.words, points[0]
    measure = measure_title(material, first.measure)
    if material.results.screening is not None:
        return words("says.answer-factors", measure=measure)
    compared = next((point for point in points if point.ratio is not None), None)
    if compared is None:
        alone = len(material.results.treatments) == 1
        return words("says.answer-alone" if alone else "says.answer", measure=measure)
    if material.results.workloads:
        return words("says.answer-kinds", measure=measure, baseline=compared.baseline)
    return words("says.answer-ratio", measure=measure, baseline=compared.baseline)


def _throughput(material: Material, points: Sequence[CurvePoint]) -> str:
    best = max(points, key=lambda point: point.value)
    return phrase(
        material,
        "throughput",
        measure=material.words.measure(best.measure),
        load=material.load_words(best.load),
        treatment=spoken(material, best.treatment),
        value=with_interval(best.value, best.low, best.high),
        unit=material.words.unit(best.unit),
    )


def _latency(material: Material, points: Sequence[CurvePoint]) -> str:
    load = max(point.load for point in points)
    at_load = [point for point in points if point.load == load]
    return values_of(material, [point for point in at_load if point.measure == at_load[-1].measure], load)


def _trade(material: Material, points: Sequence[TradePoint]) -> str:
    path = [point for point in points if point.treatment == points[0].treatment]
    first, last = path[0], path[-1]
    return phrase(
        material,
        "trade",
        treatment=spoken(material, first.treatment),
        first=material.load_words(first.load),
        last=material.load_words(last.load),
        throughput=ratio(last.throughput_per_s / first.throughput_per_s),
        p99=BOUNDS[bound_of(last.p99_at_least, first.p99_at_least)] + ratio(last.p99_ms / first.p99_ms),
    )


def _waits(material: Material, shares: Sequence[WaitShare]) -> str:
    named = [one for one in shares if one.statement]
    load = max(one.load for one in named)
    longest = max((one for one in named if one.load == load), key=lambda one: one.share)
    return phrase(
        material,
        "waits",
        load=material.load_words(load),
        treatment=spoken(material, longest.treatment),
        statement=longest.statement,
        percent=number(100 * longest.share, 0),
    )


def _forest(material: Material, found: Sequence[Comparison]) -> str:
    words, counts = material.words, Counter(one.word for one in found)
    return words(
        "says.forest",
        count=len(found),
        baseline=spoken(material, found[0].baseline),
        words=words.listed(f"{count} {word(name, words)}" for name, count in counts.most_common()),
    )


def _paired(material: Material, points: Sequence[BlockPoint]) -> str:
    words, load = material.words, max(point.load for point in points)
    baseline, *others = [
        t for t in material.results.treatments if any((p.treatment, p.load) == (t, load) for p in points)
    ]
    said = []
    for other in others:
        found = pairs(points, baseline, other, load)
        higher = sum(second > first for _, first, second in found)
        said.append(
            (
                higher / len(found) if found else 0.0,
                words("says.in-blocks", higher=higher, blocks=len(found), treatment=spoken(material, other)),
            )
        )
    shared = {
        "measure": words.measure(points[0].measure),
        "load": material.load_words(load),
        "baseline": spoken(material, baseline),
    }
    if not are_many([spoken(material, other) for other in others]):
        return words("says.paired", **shared, blocks=words.listed(text for _, text in said))
    if min(said)[0] == max(said)[0] in (0.0, 1.0):
        return words("says.paired-alike" if min(said)[0] else "says.paired-never", **shared, count=len(said))
    low, high = min(said)[1], max(said)[1]
    return words("says.paired-many", **shared, count=len(said), low=low, high=high)


def _tornado(material: Material, bars: Sequence[EffectBar]) -> str:
    first = [bar for bar in bars if (bar.measure, bar.load) == (bars[0].measure, bars[0].load)]
    largest = max(first, key=lambda bar: abs(math.log(bar.ratio)) if bar.ratio > 0 else math.inf)
    return material.words(
        "says.tornado",
        factor=largest.factor,
        measure=material.words.measure(largest.measure),
        load=material.load_words(largest.load),
        ratio=ratio(largest.ratio),
    )


def _distribution(material: Material, points: Sequence[SpectrumPoint]) -> str:
    words, load = material.words, max(point.load for point in points)
    here = [point for point in points if point.load == load]
    common = _common(here, lambda p: p.treatment)
    one_in = max((one for one in common if one <= ONE_IN * 1.001), default=min(common))
    found = [(p.treatment, p.ms, p.at_least) for p in here if round(p.one_in, 6) == one_in]
    return words(
        "says.distribution",
        load=material.load_words(load),
        one_in=number(one_in, 0 if one_in >= 10 else None),
        values=listed(material, found, "ms"),
    )


def _quantiles(material: Material, points: Sequence[RunQuantile]) -> str:
    counted = [point for point in points if point.used] or list(points)
    one_in = max(one for one in _common(counted, lambda p: p.run_id) if one <= ONE_IN * 1.001)
    here = [point for point in counted if round(point.one_in, 6) == one_in]
    low, high = (pick(here, key=lambda point: point.ms) for pick in (min, max))
    return material.words(
        "says.quantiles" if len(here) > 1 else "says.quantiles-one",
        load=material.load_words(low.load),
        one_in=number(one_in, 0 if one_in >= 10 else None),
        low=number(low.ms),
        high=number(high.ms),
        fast=low.run_id,
        slow=high.run_id,
    )


def _ridge(material: Material, bins: Sequence[TrailBin]) -> str:
    most = max(trails(bins), key=lambda trail: (len(trail.humps_ms), trail.humps_ms[-1]))
    return phrase(
        material,
        "ridge" if len(most.humps_ms) > 1 else "ridge-one-hump",
        treatment=spoken(material, most.treatment),
        load=material.load_words(most.load),
        count=len(most.humps_ms),
        places=material.words.listed(number(ms) for ms in most.humps_ms),
        operations=number(most.operations),
        slowest=number(most.slowest_ms),
    )


def _heat(material: Material, cells: Sequence[HeatCell]) -> str:
    counted = [cell for cell in cells if not cell.warmup]
    slowest = max(counted, key=lambda cell: cell.max_ms)
    return phrase(
        material,
        "heat",
        load=material.load_words(slowest.load),
        operations=number(sum(cell.operations for cell in counted)),
        ms=number(slowest.max_ms),
        at=second_of(slowest.t_s),
        treatment=spoken(material, slowest.treatment),
    )


def _timeline(material: Material, points: Sequence[TimePoint]) -> str:
    points = telling(points).points
    words, panel = material.words, points[0].panel
    here = [point for point in points if point.panel == panel]
    medians = medians_of(here)
    deepest = min(
        (point for point in counted(here)),
        key=lambda point: point.value / medians[line_of(point)] if medians[line_of(point)] > 0 else math.inf,
    )
    return phrase(
        material,
        "timeline",
        signal=words.get(f"panel.{panel}", panel),
        at=second_of(deepest.t_s),
        treatment=spoken(material, deepest.treatment),
        value=with_unit(material, number(deepest.value), deepest.unit),
        median=number(medians[line_of(deepest)]),
    )


def _timelines(material: Material, points: Sequence[TimePoint]) -> str:
    points = telling(points).points
    words, first = material.words, points[0]
    here = [point for point in points if point.panel == first.panel]
    said = []
    for side in material.results.treatments:
        rates = [point.value for point in counted([point for point in here if point.treatment == side])]
        figures = {"median": median(rates), "low": min(rates), "high": max(rates)}
        shown = {name: number(value) for name, value in figures.items()}
        said.append(words("says.timelines-side", side=side, **shown))
    signal = words.get(f"panel.{first.panel}", first.panel)
    load = material.load_words(first.load)
    return words("says.timelines", signal=signal, load=load, sides=words.clauses(said))


def _machine(material: Material, points: Sequence[TimePoint]) -> str:
    points = telling(points).points
    words, load = material.words, ("tps", "iops")
    here = [point for point in points if point.panel not in load]
    if not here:
        return words("says.machine-flat")
    medians = medians_of(here)

    def moved(point: TimePoint) -> float:
        usual = medians[line_of(point)]
        return point.value / usual if usual > 0 else 0.0

    most = max(counted(here), key=moved)
    name = words.get(f"panel.{most.panel}", most.panel)
    if most.series != most.panel:
        name = f"{name} ({words.get(f'signal.{most.series}', most.series)})"
    return phrase(
        material,
        "machine",
        signal=name,
        at=second_of(most.t_s),
        treatment=spoken(material, most.treatment),
        value=with_unit(material, number(most.value), most.unit),
        median=number(medians[line_of(most)]),
    )


def _spread(material: Material, points: Sequence[SecondOfLoad]) -> str:
    first = points[0]
    shown = {point.treatment for point in points}
    found = [one for one in spreads(material, first.load, first.block) if one.treatment in shown]
    widest = max(found, key=lambda one: one.middle_half_pct or 0.0)
    return phrase(
        material,
        "spread",
        treatment=spoken(material, widest.treatment),
        load=material.load_words(widest.load),
        low=number(widest.quarter),
        high=with_unit(material, number(widest.three_quarters), first.unit),
        median=number(widest.median),
    )


def _bars(material: Material, bars: Sequence[Any]) -> str:
    """The sentence of the first measure's bars, at their load where they have one."""
    first = [bar for bar in bars if bar.measure == bars[0].measure]
    return values_of(material, first, getattr(bars[0], "load", None))


def _order(material: Material, points: Sequence[OrderPoint]) -> str:
    runs = [point for point in points if point.lane == "throughput"]
    farthest = max(runs, key=lambda point: abs(math.log(point.ratio)))
    return phrase(
        material,
        "order",
        number=farthest.number,
        runs=len(runs),
        treatment=spoken(material, farthest.treatment),
        block=farthest.block,
        ratio=ratio(farthest.ratio),
    )


SENTENCES: Mapping[str, Sentence] = {
    "why": why,
    "flame": flame,
    "ledger-cpu": ledger,
    "ledger-time": ledger,
    "answer": _answer,
    "experiment": _bars,
    "throughput": _throughput,
    "latency": _latency,
    "trade": _trade,
    "waits": _waits,
    "forest": _forest,
    "paired": _paired,
    "tornado": _tornado,
    "distribution": _distribution,
    "quantiles": _quantiles,
    "ridge": _ridge,
    "heat": _heat,
    "timeline": _timeline,
    "timelines": _timelines,
    "timeline-machine": _machine,
    "spread": _spread,
    "costs": _bars,
    "order": _order,
}
"""The sentence of each chart by its name."""


def _common(points: Sequence[Any], of: Callable[[Any], str]) -> set[float]:
    """Returns the tails, one in so many, that all curves have."""
    curves: dict[str, set[float]] = {}
    for point in points:
        curves.setdefault(of(point), set()).add(round(point.one_in, 6))
    return set.intersection(*curves.values())
