"""Restricts a claim to the loads and levels it names: every point of a range or some of them, every level or
some.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf

from assay.design.study import Claim, ClaimPart, Selector
from assay.design.study.claims import Among, At, nodes, within
from assay.results.verdict.answers import Figure, Nearest
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.decision import All, CertainOutcome, Edges, Not, Some, Statement
from assay.results.verdict.phrases import phrase


def at(claim: Claim, judging: JudgingContext) -> JudgingContext:
    """Returns a judging that is restricted to the loads, treatments and part of the window that a claim
    names.
    """
    judging = replace(judging, window=claim.window)
    if claim.at is None:
        return judging
    axis, where = claim.at.axis, claim.at.where
    factor = next((name for one in judging.treatments for name in one.levels if name == axis.name), None)
    if factor is None:
        return replace(judging, loads=within(where, judging.loads))
    kept = set(within(where, [one.levels[factor] for one in judging.treatments if factor in one.levels]))
    return replace(judging, treatments=[one for one in judging.treatments if one.levels.get(factor) in kept])


def at_some_point(where: At | None, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yields findings; with `at some`, joins all points of the range into one finding that any one point can
    support.
    """
    if where is None or not where.some:
        yield from findings
    elif where.axis.is_load:
        yield from _one_is_enough(findings, lambda one: tuple(place.treatment for place in one.where))
    else:
        yield from _one_is_enough(findings, lambda one: one.where[0].load)


def of_some_levels(
    part: ClaimPart, findings: Iterable[Finding], judging: JudgingContext
) -> Iterator[Finding]:
    """Yields findings; with `[factor=some]`, joins all its levels into one finding that any one level can
    support.
    """
    some = [
        selector
        for selector in nodes(part)
        if isinstance(selector, Selector)
        and any(isinstance(level, Among) and level.word == "some" for _, level in selector.levels)
    ]
    if not some:
        yield from findings
        return
    free = {one.name for one in judging.treatments for selector in some if one.matches(selector)}

    def fixed(one: Finding) -> Hashable:
        rest = tuple(place for place in one.where if place.treatment not in free)
        return rest or (one.where[0].load,)

    yield from _one_is_enough(findings, fixed)


def either(by_part: Sequence[Sequence[Finding]]) -> Finding:
    """Returns the finding that at least one part of a claim holds, everywhere that it speaks of."""
    known = [part for part in by_part if part]
    found = [one for part in known for one in part]
    if not found:
        return Finding((), (phrase("no-run"),))
    surest = max(known, key=lambda part: min(map(_sure, part)))
    deciding = min(surest, key=_sure)
    return Finding(
        where=tuple(dict.fromkeys(place for one in found for place in one.where)),
        said=(phrase("one-of-parts", parts=len(by_part), clauses=deciding.said),),
        blocks=min((one.blocks for one in found if one.asserts is not None), default=found[0].blocks),
        figure=deciding.figure,
        asserts=Some(tuple(All(tuple(map(_as_statement, part))) for part in known)),
        approaching=max(one.approaching for one in found),
        doubts=tuple(dict.fromkeys(kind for one in found for kind in one.doubts)),
    )


def _as_statement(one: Finding) -> Statement:
    return CertainOutcome(one.plain or "undecided") if one.asserts is None else _named(one)


def _sure(one: Finding) -> float:
    if one.asserts is not None:
        return _clearance(one)
    return {"supported": inf, "refuted": -inf}.get(one.plain or "", 0.0)


def _one_is_enough(findings: Iterable[Finding], alike: Callable[[Finding], Hashable]) -> Iterator[Finding]:
    groups: dict[Hashable, list[Finding]] = {}
    for one in findings:
        groups.setdefault(alike(one), []).append(one)
    for group in groups.values():
        judged = [one for one in group if one.asserts is not None]
        if len(group) == 1 or not judged:
            yield from group
            continue
        best = max(judged, key=_clearance)
        yield replace(
            best,
            where=tuple(dict.fromkeys(place for one in judged for place in one.where)),
            said=(phrase("one-of-points", points=len(judged), clauses=best.said),),
            blocks=min(one.blocks for one in judged),
            asserts=Some(tuple(_named(one) for one in judged)),
            question=None,
        )


def _named(one: Finding) -> Statement:
    """Returns the finding's statement; an interval without a name gets the name of its places."""
    inner = one.asserts.of if isinstance(one.asserts, Not) else one.asserts
    if isinstance(inner, Edges) and inner.nearest is None:
        name = " / ".join(dict.fromkeys(place.sign for place in one.where))
        inner = replace(inner, nearest=Nearest(name, one.figure or Figure("ratio", float("nan"))))
        return Not(inner) if isinstance(one.asserts, Not) else inner
    assert one.asserts is not None
    return one.asserts


def _clearance(one: Finding) -> float:
    assert one.asserts is not None
    leaves = [leaf.clearance for leaf in one.asserts.leaves()]
    least = min(leaves, default=0.0)
    return -least if isinstance(one.asserts, Not) else least
