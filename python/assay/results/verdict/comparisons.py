"""Compares treatments with each other, paired by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from math import log

import numpy as np

from assay.design.study import CORRECTED, STALLED, Study
from assay.results.stats import (
    FEWEST_LOADS,
    Gate,
    PairedRatio,
    Region,
    alike_factor,
    around,
    beyond_region_p,
    detectable_at,
    false_discovery,
    more_blocks,
    most_of_all,
    paired_ratio,
    position,
    wariness,
    widened_ratio,
    withstood,
)
from assay.results.verdict.compared import Bound, Comparison, ComparisonWord, Place, Sides, bound_of, first_of
from assay.results.verdict.estimates import over_blocks
from assay.results.verdict.observations import Blocks, Floats, Observations, higher_is_better, is_closed_tail
from assay.results.verdict.ratio_course import doubts_of_ratio
from assay.results.verdict.settings import setting_pairs
from assay.results.verdict.treatments import Treatment, by_workload, loads_of, matched_pairs

Asked = tuple[str, str, str, float]  # measure, baseline, other, load
_OPEN = ("undecided", "more", "less", "estimate-only")
_CERTAIN = ("better", "worse", "same", "more", "less")


def comparisons(
    study: Study,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    gate: Gate,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> tuple[Comparison, ...]:
    """Returns comparisons of every treatment with the first of its workload, then of the pairs that
    hypotheses name, each once.

    `pairs` are the names of what is compared instead, the baseline first. The q-values are computed over all
    comparisons together, without those that repeat another.
    """
    parts = by_workload(study, treatments)
    groups: list[Sequence[Treatment]] = [
        [one for one in treatments if one.name in part.names] for part in parts
    ] or [treatments]
    if pairs is None:
        first = [asked for group in groups for asked in _with_first(study.headlines, group, loads)]
        baselines = {group[0].name for group in groups}
    else:
        first = [(measure, *pair, load) for measure in study.headlines for pair in pairs for load in loads]
        baselines = {baseline for baseline, _ in pairs}
    margins = dict.fromkeys(first, study.verdict.known_margin)
    named = list(_named(study, treatments, loads, baselines))
    # A hypothesis and the comparison of what it names have one region of indifference.
    margins |= dict(reversed(named))
    compared = (compare(seen, asked, margin, gate) for asked, margin in margins.items())
    return with_q_values([found for found in compared if found is not None])


def comparisons_of_settings(
    study: Study,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    gate: Gate,
    known: Sequence[Comparison],
) -> tuple[Comparison, ...]:
    """Returns comparisons of levels of server variables that are not among the `known` ones: those on servers
    other than the baseline's. They have no q-value.
    """
    done = {(one.measure, one.baseline, one.other, one.load) for one in known}
    pairs = [(pair.before.name, pair.after.name) for pair in setting_pairs(study, treatments)]
    asked = [(measure, *pair, load) for pair in pairs for measure in study.headlines for load in loads]
    margin = study.verdict.known_margin
    compared = (compare(seen, one, margin, gate) for one in asked if one not in done)
    return tuple(found for found in compared if found is not None)


def with_q_values(found: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Returns comparisons with q-values among all that are distinct; a repeated one has that of the first."""
    first = first_of(found)
    family = [number for number in dict.fromkeys(first) if found[number].beyond_p is not None]
    p_values = [p for number in family if (p := found[number].beyond_p) is not None]
    q_of = dict(zip(family, false_discovery(p_values), strict=True))
    return tuple(replace(one, q_value=q_of.get(number)) for one, number in zip(found, first, strict=True))


def compare(seen: Observations, asked: Asked, margin: float, gate: Gate) -> Comparison | None:
    """Compares two treatments; None when no block has both, or when a value is zero and there is no ratio."""
    measure, baseline, other, load = asked
    places = Place(baseline, load), Place(other, load)
    by_block = seen.paired(measure, *places)
    blocks = by_block[0].size
    if not blocks or (by_block[0] <= 0).any() or (by_block[1] <= 0).any():
        return None
    dependent = doubts_of_ratio(_free_of_loads(seen, asked))
    seen = seen.over_loads((baseline, other))
    if seen.loads and blocks >= gate.fewest:
        gate = replace(gate, fewest=FEWEST_LOADS)
    before, after = seen.paired(measure, *places)
    if not before.size:
        return None
    region = around(1.0, margin)
    plain = paired_ratio(before, after, gate.confidence)
    width = wariness(np.log(after / before)) if gate.sequential else 1.0
    found = widened_ratio(plain, width)
    few = bool(seen.too_few(measure, *places))
    is_judged = not seen.barred and not few
    word: ComparisonWord = (
        word_of(found, region, gate.fewest, higher_is_better(measure)) if is_judged else "estimate-only"
    )
    if word == "same" and not _same_where_settled(seen, asked, region, gate):
        word = "undecided"
    bound = bound_of(bool(seen.bounds(measure, places[1])), bool(seen.bounds(measure, places[0])))
    word = _as_far_as_known(word, bound, found)
    if gate.sequential and dependent and word != "estimate-only":
        word = "undecided"
    open_end = word in _OPEN and is_judged
    return Comparison(
        baseline=baseline,
        other=other,
        load=load,
        measure=measure,
        ratio=found.ratio,
        low=found.low,
        high=found.high,
        p_value=found.p_value,
        blocks=blocks,
        margin=margin,
        word=word,
        more_blocks=_in_blocks(blocks_to_go(found, region, gate), blocks, found.n) if open_end else None,
        doubts=(*seen.about(measure, *places), *dependent),
        detectable=None if found.log_sd is None else detectable_at(found.log_sd, found.n, gate.confidence),
        beyond_p=None
        if found.log_sd is None or word == "estimate-only"
        else beyond_region_p(found.ratio, found.log_sd, found.n, region),
        bound=bound,
        stalled_pct=_beside(seen, STALLED, *places) if is_closed_tail(measure) else None,
        corrected_ms=_beside(seen, CORRECTED + measure, *places) if is_closed_tail(measure) else None,
        loads=len(set(seen.loads.values())) or None,
        missed=most_of_all(0, blocks, gate.confidence) if word in _CERTAIN else None,
        withstands=_withstands(word, plain, width, region, gate, higher_is_better(measure))
        if word in _CERTAIN and not seen.loads
        else None,
    )


def _withstands(
    word: ComparisonWord, plain: PairedRatio, width: float, region: Region, gate: Gate, higher: bool
) -> float:
    """Returns the correlation of neighbouring blocks up to which intervals give this word."""

    def holds(correlation: float) -> bool:
        widest = max(width, alike_factor(plain.n, correlation, gate.confidence))
        return word_of(widened_ratio(plain, widest), region, gate.fewest, higher) == word

    return withstood(holds)


def _beside(seen: Observations, measure: str, baseline: Place, other: Place) -> Sides:
    """Returns what stands beside a percentile or a maximum."""
    before, after = (_mean(seen.blocks(measure, place)) for place in (baseline, other))
    return before, after


def _mean(blocks: Blocks) -> float | None:
    return over_blocks(blocks, 0.95).value if blocks else None


def _free_of_loads(seen: Observations, asked: Asked) -> Floats:
    """Returns the logarithm of the ratio in each block, without what the load of its data does to it."""
    measure, baseline, other, load = asked
    before, after = seen.paired(measure, Place(baseline, load), Place(other, load))
    logs: Floats = np.log(after / before)
    groups = seen.over_loads((baseline, other)).loads
    blocks = seen.common_blocks(measure, Place(baseline, load), Place(other, load))
    loads = np.array([groups.get(block, 0) for block in blocks])
    for number in set(loads.tolist()) if groups else ():
        logs[loads == number] -= logs[loads == number].mean()
    return logs


def _in_blocks(more: int | None, blocks: int, units: int) -> int | None:
    """Returns how many blocks so many more loads are, with as many blocks each as there are."""
    return None if more is None else more * -(-blocks // units)


def _as_far_as_known(word: ComparisonWord, bound: Bound, found: PairedRatio) -> ComparisonWord:
    """Returns the word for a ratio of which one end is known: only what no larger, or smaller, ratio
    changes.
    """
    if bound == "exact" or word in ("estimate-only", "undecided"):
        return word
    above = found.low is not None and found.low > 1
    below = found.high is not None and found.high < 1
    known = word != "same" and ((bound == "at-least" and above) or (bound == "at-most" and below))
    return word if known else "undecided"


def _same_where_settled(seen: Observations, asked: Asked, region: Region, gate: Gate) -> bool:
    """Returns whether windows that had reached their level also say "same": two treatments that approach
    their levels may be equal on the way.
    """
    if seen.settled is seen:
        return True
    measure, baseline, other, load = asked
    before, after = seen.settled.paired(measure, Place(baseline, load), Place(other, load))
    if not before.size:
        return False
    return word_of(paired_ratio(before, after, gate.confidence), region, gate.fewest, higher=True) == "same"


def blocks_to_go(found: PairedRatio, region: Region, gate: Gate) -> int | None:
    """Returns how many more blocks would probably decide the comparison; None when that is unknown, or too
    many.
    """
    if found.n < 2:
        return None  # one block says nothing about the noise
    if not found.log_sd:
        return max(gate.fewest - found.n, 1)
    nearest = min(abs(log(found.ratio / edge)) for edge in (region.low, region.high))
    return more_blocks(nearest, found.log_sd, found.n, gate.confidence, fewest=gate.fewest)


def word_of(found: PairedRatio, region: Region, fewest: int, higher: bool) -> ComparisonWord:
    """Returns the word for an interval relative to the region of indifference; below `fewest` blocks, that
    there are too few.
    """
    if found.n < fewest or found.low is None or found.high is None:
        return "estimate-only"
    match position(found.low, found.high, region):
        case "inside":
            return "same"
        case "astride":
            return "more" if found.low > 1 else "less" if found.high < 1 else "undecided"
        case "above":
            return "better" if higher else "worse"
        case "below":
            return "worse" if higher else "better"


def _with_first(
    measures: Sequence[str], treatments: Sequence[Treatment], loads: Sequence[float]
) -> Iterator[Asked]:
    for measure in measures:
        for other in treatments[1:]:
            for load in loads:
                yield measure, treatments[0].name, other.name, load


def _named(
    study: Study, treatments: Sequence[Treatment], loads: Sequence[float], baselines: Set[str]
) -> Iterator[tuple[Asked, float]]:
    claims = [(one, claim) for one in study.hypotheses for claim in one.claims]
    for hypothesis, claim, baseline, other in ((*both, *pair) for both in claims for pair in both[1].pairs):
        margin = study.verdict.known_margin if hypothesis.margin is None else hypothesis.margin
        if other != replace(baseline, selector=replace(other.selector, load=baseline.selector.load)):
            continue  # two rungs or phases of one treatment: the hypothesis's own affair
        at = loads_of(claim, loads) if other.selector.load is None else (other.selector.load,)
        for before, after in matched_pairs(treatments, baseline.selector, other.selector):
            if before.name == after.name:
                continue
            # A pair that already stands against a baseline is not shown the other way round.
            if after.name in baselines and before.name not in baselines:
                before, after = after, before
            for load in at:
                yield (other.measure, before.name, after.name, load), margin
