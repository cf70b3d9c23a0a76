"""Reads a claim about printed tables: in the language of claims of studies, or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from assay.design.study.claims import (
    Among,
    Claim,
    ClaimPart,
    ClaimSyntaxError,
    ComparisonClaim,
    CourseClaim,
    Figure,
    Selector,
    parse_claim,
    rewritten,
)
from assay.results.audit.claims.measures import stands_for_measure
from assay.results.audit.claims.printed_claim import SAME, About, Known, PrintedClaim, margin_of
from assay.results.audit.claims.words import Words
from assay.results.audit.selecting import Wanted, fits, wanted


def asked(text: str, scope: str, known: Known) -> Iterator[PrintedClaim]:
    """Yields the claims that a text makes about figures within a scope."""
    levels = _scope(known, scope)
    try:
        found = _in_the_language(parse_claim(text), known)
    except ClaimSyntaxError:
        found = Words(text, scope, known).claims()
    for one in found:
        yield replace(one, about=_within(levels, one.about))


def _within(levels: Wanted, about: About) -> About:
    return lambda cell: fits(cell, levels) and about(cell)


def _scope(known: Known, scope: str) -> dict[str, frozenset[str]]:
    found = wanted(known, scope)
    workloads = {
        one
        for one in known.get("workload", ())
        if any(word and one.startswith(word) for word in re.split(r"[ ,;]+", scope))
    }
    return found | ({"workload": frozenset(workloads)} if workloads else {})


def _in_the_language(claim: Claim, known: Known) -> Iterator[PrintedClaim]:
    """Returns each part of a claim, and each relation of a chain, as a claim of its own: relations have
    different margins. Parts joined by "or" stay one claim.
    """
    full = _with_levels(claim, known)
    if full.joined == "or":
        margin = max(map(_margin, full.parts))
        return iter((PrintedClaim(full, lambda cell: True, stands_for_measure, margin, lead=False),))
    parts = [one for part in full.parts for one in _relations(part)]
    return (
        PrintedClaim(
            Claim((part,), full.at, full.window),
            lambda cell: True,
            stands_for_measure,
            _margin(part),
            _leads(part),
        )
        for part in parts
    )


def _with_levels(claim: Claim, known: Known) -> Claim:
    """Returns the claim with the levels that `other` and `some` stand for."""
    named: dict[str, set[str]] = {}
    for term in claim.terms:
        for name, level in term.selector.levels:
            some = level.levels if isinstance(level, Among) else (level,)
            named.setdefault(name, set()).update(map(str, some))

    def filled(node: object) -> object:
        if not isinstance(node, Selector):
            return node
        levels = tuple(
            (name, replace(level, levels=tuple(sorted(known.get(name, set()) - named[name]))))
            if isinstance(level, Among) and level.word != "or"
            else (name, level)
            for name, level in node.levels
        )
        return replace(node, levels=levels)

    return rewritten(claim, filled)


def _relations(part: ClaimPart) -> Iterator[ClaimPart]:
    if not isinstance(part, ComparisonClaim):
        yield part
        return
    for number, (relation, band) in enumerate(zip(part.relations, part.bands, strict=True)):
        yield ComparisonClaim(part.sides[number : number + 2], (relation,), (band,), part.over)


def _margin(part: ClaimPart) -> float:
    if isinstance(part, ComparisonClaim):
        return margin_of(part.relations[0])
    return SAME if isinstance(part, CourseClaim) and part.direction == "is flat" else 0.0


def _leads(part: ClaimPart) -> bool:
    if isinstance(part, ComparisonClaim):
        return part.relations[0] in (">", "<") and not any(isinstance(one, Figure) for one in part.sides)
    return isinstance(part, CourseClaim) and part.direction != "is flat"
