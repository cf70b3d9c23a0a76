"""Judges claims about levels of a screen, which names candidates and decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.results.stats import Region, position
from assay.results.verdict.claims.weigh import JudgedPart, without_outcome
from assay.results.verdict.phrases import phrase
from assay.results.verdict.treatments import Treatment


def of_screened_levels(
    weighed: Sequence[JudgedPart], levels: Sequence[Treatment], region: Region, *, is_mixed: bool
) -> tuple[JudgedPart, ...]:
    """Returns the parts, where one is about levels of a screen with a screen's words: whatever differs is
    worth a study, and where pairs of factors are mixed in, nothing has an outcome.
    """
    names = {one.name for one in levels}
    return tuple(
        one
        if not names & {*one.part.treatments}
        else without_outcome(one, phrase("screen-mixed"))
        if is_mixed
        else _candidate(one, region)
        for one in weighed
    )


def _candidate(one: JudgedPart, region: Region) -> JudgedPart:
    figure = one.part.figure
    is_same = (
        figure is not None
        and figure.kind == "ratio"
        and figure.low is not None
        and figure.high is not None
        and position(figure.low, figure.high, region) == "inside"
    )
    if one.part.outcome == "undecided" or is_same:
        return one
    found = without_outcome(one, phrase("screen-candidate"))
    return replace(found, part=replace(found.part, worth_a_study=True, figure=figure))
