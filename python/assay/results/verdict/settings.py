"""Finds the treatments that differ in the level of one factor of server variables, on every server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.design.study import WORKLOAD, Factor, Scalar, Study, level_text
from assay.results.verdict.treatments import Treatment

VARIABLE, SERVER = "server.variables.", "server.use"


@dataclass(frozen=True)
class SettingPair:
    """A level of a factor of server variables: `after` has it, `before` has the factor's first level, and all
    other levels of the two are equal.
    """

    factor: Factor
    level: Scalar
    before: Treatment
    after: Treatment


def variable_factors(study: Study) -> tuple[Factor, ...]:
    """Returns the factors that set server variables at the server's start, and nothing else."""
    return tuple(one for one in study.factors if all(key.startswith(VARIABLE) for key in one.varied))


def server_factors(study: Study) -> tuple[Factor, ...]:
    """Returns the factors that choose the server."""
    return tuple(one for one in study.factors if SERVER in one.varied)


def setting_pairs(study: Study, treatments: Sequence[Treatment]) -> Iterator[SettingPair]:
    """Yields a pair for every level but the first of each factor of server variables, on each server and with
    each workload; all other factors are at their first levels.
    """
    free = {one.name for one in study.factors if SERVER in one.varied or WORKLOAD in one.varied}
    first = {one.name: level_text(one.levels[0]) for one in study.factors}
    by_levels = {frozenset(one.levels.items()): one for one in treatments}
    for before in treatments:
        if any(first.get(name) != level for name, level in before.levels.items() if name not in free):
            continue
        for factor in variable_factors(study):
            for level in factor.levels[1:]:
                levels = {**before.levels, factor.name: level_text(level)}
                if after := by_levels.get(frozenset(levels.items())):
                    yield SettingPair(factor, level, before, after)
