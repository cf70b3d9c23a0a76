"""Checks that the factors and claims of a study fit a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.design.study.checks.problems import Problem
from assay.design.study.claims import CauseClaim, Claim, ClaimPart, EveryRunClaim
from assay.design.study.claims.axes import Axis
from assay.design.study.claims.kind import nodes
from assay.design.study.model.factor import Factor
from assay.design.study.model.file import StudyFile
from assay.design.study.model.keys import WORKLOAD
from assay.design.study.screens import LEAST_FACTORS, MOST_FACTORS, TREATMENTS, is_scaled
from assay.design.study.values import COPY

_APART = (WORKLOAD, COPY)


def screen_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with the design of a screen, and with keys that only a screen has."""
    design, kind = file.design, file.design.kind
    for key, owner in (("fold_over", "plackett-burman"), ("treatments", "latin-hypercube")):
        if key in design.model_fields_set and kind != owner:
            yield Problem(("design", key), f'needs kind = "{owner}"; this design is "{kind}"')
    if not design.screens:
        return
    if len(file.factor) < LEAST_FACTORS:
        yield Problem(
            ("design", "kind"),
            f"needs at least {LEAST_FACTORS} factors, but the study has {len(file.factor)};"
            ' use kind = "factorial"',
        )
    for one in file.varied:
        if one.key in _APART:
            yield Problem(
                one.place,
                f'"{one.key}" cannot be a factor of a screen, which compares the levels of each factor',
            )
    if kind == "plackett-burman":
        yield from _two_levels(file)
    else:
        yield from _enough_treatments(file)


def _two_levels(file: StudyFile) -> Iterator[Problem]:
    if len(file.factor) > MOST_FACTORS:
        yield Problem(
            ("design", "kind"), f"takes at most {MOST_FACTORS} factors, but the study has {len(file.factor)}"
        )
    for number, factor in enumerate(file.factor):
        if len(factor.levels) != 2:
            yield Problem(
                ("factor", number, "levels"),
                f"has {len(factor.levels)} levels, but a plackett-burman design has two of each factor;"
                ' use kind = "latin-hypercube" for more',
            )


def _enough_treatments(file: StudyFile) -> Iterator[Problem]:
    factors = [Factor(name=one.name, levels=tuple(one.levels)) for one in file.factor]
    unknowns = 1 + sum(1 if is_scaled(one) else len(one.levels) - 1 for one in factors)
    least = max([unknowns + 1, *(len(one.levels) for one in factors)])
    if (count := file.design.treatments or TREATMENTS) < least:
        yield Problem(
            ("design", "treatments"),
            f"must be at least {least} for these factors and levels; it is {count}",
        )


def not_of_a_screen(claim: Claim, factors: Sequence[Factor]) -> Iterator[str]:
    """Yields sentences about parts of a resolved claim that a screen cannot answer.

    A screen says what one factor does over all others. Two together are mixed with what other pairs do.
    """
    names = {factor.name for factor in factors}
    if claim.at is not None and claim.at.axis.name in names:
        yield (
            f'"{claim.at}" needs one level of a factor: a screen says what each factor does over all others;'
            ' use kind = "factorial"'
        )
    for part in claim.parts:
        if isinstance(part, EveryRunClaim | CauseClaim):
            continue  # of each treatment by itself
        for term in part.terms:
            spoken = [name for name, _ in term.selector.levels]
            spoken += [axis for axis in _factor_axes(part, names) if axis not in spoken]
            if len(spoken) > 1:
                yield (
                    f'"{term}" depends on {len(spoken)} factors at once: in a screen two factors together are'
                    ' mixed with other pairs; name one factor, or use kind = "factorial"'
                )
            elif spoken and (term.summary or claim.window or _over_time(part)):
                yield f'"{term}" over time cannot be averaged over the treatments of a screen'


def _factor_axes(part: ClaimPart, names: set[str]) -> list[str]:
    return [one.name for one in nodes(part) if isinstance(one, Axis) and one.name in names]


def _over_time(part: ClaimPart) -> bool:
    return any(isinstance(one, Axis) and one.is_time for one in nodes(part))
