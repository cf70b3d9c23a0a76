"""Judges each hypothesis: makes findings at every load point and pair of treatments, then one verdict.

What a kind of claim looks at is in a file of its own; `found` has a case for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import assert_never

from assay.design.study import Hypothesis, Selector, Study, in_language
from assay.design.study.claims import (
    Axis,
    BestClaim,
    CauseClaim,
    Claim,
    ClaimPart,
    ComparisonClaim,
    CourseClaim,
    CrossoverClaim,
    EveryRunClaim,
    KneeClaim,
    ObjectiveClaim,
    nodes,
)
from assay.results.stats import FEWEST_LOADS, Gate, around
from assay.results.verdict import summing_up, wording
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.claims import (
    advice,
    best,
    bounds,
    cause,
    comparison,
    course,
    crossover,
    every_run,
    few_operations,
    knee,
    objective,
    screened,
    somewhere,
)
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.ladder import whole_ladders
from assay.results.verdict.claims.weigh import weigh
from assay.results.verdict.decision import whole
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment


def judge_hypotheses(
    study: Study,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    gate: Gate,
    levels: Sequence[Treatment] = (),
    *,
    is_mixed: bool = False,
) -> Iterator[HypothesisVerdict]:
    """Yields one verdict for each hypothesis of the study, in its order.

    In a screen, `levels` are what a claim that names a factor is about, in place of treatments; where
    `is_mixed`, what pairs of factors do is mixed into them. Such a claim has the outcome of a screen: none,
    or that it is worth a study.
    """
    judged = {
        number: _judged(study, one, seen, treatments, loads, gate, levels, is_mixed)
        for number, one in enumerate(study.hypotheses)
        if one.claims
    }
    by_id = {study.hypotheses[number].id: verdict for number, verdict in judged.items()}
    for number, one in enumerate(study.hypotheses):
        if number in judged:
            yield judged[number]
        else:
            yield advice.verdict(one, {name: by_id.get(name) for name in one.because})


def judged_again(
    study: Study,
    hypothesis: Hypothesis,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    gate: Gate,
    levels: Sequence[Treatment] = (),
    *,
    is_mixed: bool = False,
) -> HypothesisVerdict:
    """Returns the verdict on one hypothesis that has claims of its own, as `judge_hypotheses` does, from
    observations that may lack some or have others.
    """
    return _judged(study, hypothesis, seen, treatments, loads, gate, levels, is_mixed)


def _judged(
    study: Study,
    hypothesis: Hypothesis,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    gate: Gate,
    levels: Sequence[Treatment],
    is_mixed: bool,
) -> HypothesisVerdict:
    margin = study.verdict.known_margin if hypothesis.margin is None else hypothesis.margin
    seen = seen.over_loads(_in_one_ratio(hypothesis, seen, levels or treatments))
    if seen.loads and len(seen.loads) >= gate.fewest:
        gate = replace(gate, fewest=FEWEST_LOADS)
    judging = JudgingContext(seen, treatments, loads, study.load.kind, gate.confidence, margin, levels=levels)
    by_claim = [(claim, tuple(found(claim, judging))) for claim in hypothesis.claims]
    findings = tuple(finding for _, of_claim in by_claim for finding in of_claim)
    weighed = weigh(findings, seen, gate)
    for cell in bounds.cells(by_claim, seen):
        raised = replace(judging, seen=seen.raised(cell))
        others = [finding for claim in hypothesis.claims for finding in found(claim, raised)]
        weighed = bounds.agreed(weighed, weigh(others, raised.seen, gate), seen)
    weighed = bounds.without_two_sides(by_claim, weighed, seen)
    weighed = few_operations.only_estimates(by_claim, weighed, seen)
    if levels:
        region = around(1.0, margin)
        weighed = screened.of_screened_levels(weighed, levels, region, is_mixed=is_mixed)
    parts = tuple(one.part for one in weighed)
    outcome = whole([part.outcome for part in parts])
    more, too_many = summing_up.most_needed(parts) if outcome == "undecided" else (None, False)
    ladders = () if seen.barred else tuple(whole_ladders(findings, gate.confidence))
    beside = (
        *summing_up.over_ladders(ladders, gate.confidence),
        *wording.by_load(seen.loads),
        *wording.uncounted_kinds([one.measure for one in hypothesis.terms], seen.units),
    )
    explained = [one.said for one in weighed]
    return HypothesisVerdict(
        claim=hypothesis.text,
        source=in_language(hypothesis.source) or None,
        outcome=outcome,
        explanation=summing_up.summary(outcome, parts, explained, more, too_many, beside),
        parts=parts,
        more_blocks=more,
        too_many_blocks=too_many,
        worth_a_study=outcome == "undecided"
        and all(part.worth_a_study for part in parts if part.outcome == "undecided"),
        ladders=ladders,
    )


def _in_one_ratio(
    hypothesis: Hypothesis, seen: Observations, treatments: Sequence[Treatment]
) -> tuple[str, ...]:
    """Returns treatments that a hypothesis holds against each other and that have data of their own; one
    alone where it is about levels of single treatments.

    It holds against each other what is alike in every factor that it does not name.
    """
    parts = [part for claim in hypothesis.claims for part in claim.parts]
    of = [one for part in parts for one in nodes(part)]
    selectors = [one for one in of if isinstance(one, Selector)]
    named = {name for one in selectors for name, _ in one.levels}
    named |= {one.name for one in of if isinstance(one, Axis)}
    alike: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for one in treatments:
        if not selectors or any(one.matches(selector) for selector in selectors):
            rest = tuple(sorted((name, level) for name, level in one.levels.items() if name not in named))
            alike[rest].append(one.name)
    groups = sorted((tuple(names) for names in alike.values()), key=len, reverse=True)
    return next((names for names in groups if len(names) == 1 or seen.data.apart(names)), ())


def found(claim: Claim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields all findings of a claim, at the places and times that it names."""
    there = somewhere.at(claim, judging)
    by_part = [tuple(_of_part(claim, part, there)) for part in claim.parts]
    if claim.joined == "or":
        yield somewhere.either(by_part)
    else:
        yield from chain.from_iterable(by_part)


def _of_part(claim: Claim, part: ClaimPart, judging: JudgingContext) -> Iterator[Finding]:
    here = _of_levels(part, judging)
    findings = somewhere.of_some_levels(part, _found(part, here), here)
    yield from somewhere.at_some_point(claim.at, findings)


def _of_levels(part: ClaimPart, judging: JudgingContext) -> JudgingContext:
    """Returns `judging` with levels of factors as treatments, where a part of a claim names factors.

    Claims about every run, and about bottlenecks, stay claims about single treatments.
    """
    if isinstance(part, EveryRunClaim | CauseClaim):
        return replace(judging, seen=judging.seen.by_block)
    named = {name for one in nodes(part) if isinstance(one, Selector) for name, _ in one.levels}
    named |= {one.name for one in nodes(part) if isinstance(one, Axis)}
    levels = [one for one in judging.levels if one.levels.keys() <= named]
    return replace(judging, treatments=levels) if levels else judging


def _found(claim: ClaimPart, judging: JudgingContext) -> Iterator[Finding]:
    match claim:
        case ComparisonClaim():
            for link in claim.links:
                yield from comparison.findings(link, judging)
        case EveryRunClaim():
            yield from every_run.findings(claim, judging)
        case CourseClaim():
            yield from course.findings(claim, judging)
        case BestClaim():
            yield from best.findings(claim, judging)
        case KneeClaim():
            yield from knee.findings(claim, judging)
        case CrossoverClaim():
            yield from crossover.findings(claim, judging)
        case ObjectiveClaim():
            yield from objective.findings(claim, judging)
        case CauseClaim():
            yield from cause.findings(claim, judging)
        case _:
            assert_never(claim)
