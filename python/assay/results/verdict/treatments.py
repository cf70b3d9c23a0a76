"""Reads the treatments that were run, in the study's order, and finds those that a selector means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import duckdb

from assay.design.study import Claim, Scalar, Selector, Study, level_text, screen_rows
from assay.design.study.claims import Among, within
from assay.results.verdict.results import WorkloadPart


@dataclass(frozen=True)
class Treatment:
    """One combination of levels; `levels` maps the factor's full name to the level's text.

    `tied`: by each factor of several keys, the value of each key as text.
    """

    name: str
    levels: Mapping[str, str]
    tied: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def varied(self) -> dict[str, str]:
        """The value of every key that the study varies, as text."""
        found: dict[str, str] = {}
        for factor, level in self.levels.items():
            found |= self.tied.get(factor, {factor: level})
        return found

    def matches(self, selector: Selector) -> bool:
        """Returns whether this treatment has every level that the selector names, or one of several."""
        return all(self.levels.get(factor) in _texts(level) for factor, level in selector.levels)


def _texts(level: Scalar | Among) -> tuple[str, ...]:
    return tuple(map(level_text, level.levels if isinstance(level, Among) else (level,)))


def loads_of(claim: Claim, loads: Sequence[float]) -> tuple[float, ...]:
    """Returns the rungs that a claim is about."""
    at = claim.at
    return tuple(loads) if at is None or not at.axis.is_load else within(at.where, tuple(loads))


def treatments_of(study: Study, store: duckdb.DuckDBPyConnection) -> tuple[Treatment, ...]:
    """Returns every treatment with a run, complete or failed; the baseline, with all first levels, comes
    first.

    The treatments of a screen are in the order of its design.
    """
    found = [Treatment(name, known, _tied(study, known)) for name, known in levels_of(store).items()]
    if study.design.screens:
        return tuple(sorted(found, key=lambda treatment: (len(treatment.name), treatment.name)))
    return tuple(sorted(found, key=lambda treatment: _place(study, treatment)))


def levels_of(store: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """Returns the levels of every treatment with a run, by the full names of factors."""
    levels: dict[str, dict[str, str]] = {
        name: {} for (name,) in store.execute("SELECT DISTINCT treatment FROM runs ORDER BY 1").fetchall()
    }
    for treatment, factor, level in store.execute("SELECT treatment, factor, level FROM levels").fetchall():
        levels[treatment][factor] = level
    return levels


def _tied(study: Study, levels: Mapping[str, str]) -> dict[str, dict[str, str]]:
    tied = [factor for factor in study.factors if factor.keys and factor.name in levels]
    return {factor.name: factor.settings_text(levels[factor.name]) for factor in tied}


def count_treatments(study: Study) -> int:
    """Returns how many treatments the design plans, whether or not any has run."""
    if study.design.screens:
        return len(screen_rows(study.design, study.factors))
    others = [len(factor.levels) - 1 for factor in study.factors]
    return 1 + sum(others) if study.design.kind == "one-at-a-time" else prod(one + 1 for one in others)


def _place(study: Study, treatment: Treatment) -> tuple[object, ...]:
    steps = []
    for factor in study.factors:
        texts = [level_text(level) for level in factor.levels]
        level = treatment.levels.get(factor.name)
        steps.append(texts.index(level) if level in texts else len(texts))
    if study.design.kind == "one-at-a-time":
        # One factor is off its baseline: treatments follow the order of the factors, then of the levels.
        changed = [number for number, step in enumerate(steps) if step]
        return changed, steps, treatment.name
    return steps, treatment.name


def by_workload(study: Study, treatments: Sequence[Treatment]) -> tuple[WorkloadPart, ...]:
    """Returns the treatments of each kind of load in the study's order; () when the study does not vary the
    workload.

    A kind of load is what `Factor.kind_of_load` says.
    """
    factor = study.workload_factor
    if factor is None:
        return ()
    kinds: dict[str, list[str]] = {}
    for level in factor.levels:
        kinds.setdefault(factor.kind_of_load(level), []).append(level_text(level))
    found = []
    for kind, levels in kinds.items():
        label = f"{factor.short_name}={levels[0]}" if len(levels) == 1 else ""
        names = {
            one.name: ", ".join(piece for piece in one.name.split(", ") if piece != label) or kind
            for one in treatments
            if one.levels.get(factor.name) in levels
        }
        if names:
            found.append(WorkloadPart(kind, names))
    return tuple(found)


def matched_pairs(
    treatments: Sequence[Treatment], left: Selector, right: Selector
) -> Iterator[tuple[Treatment, Treatment]]:
    """Yields the pairs that a claim compares: left and right as selected, equal in every factor it does not
    name.
    """
    named = {factor for factor, _ in (*left.levels, *right.levels)}
    for one in treatments:
        for other in treatments:
            if one.matches(left) and other.matches(right) and _alike(one, other, named):
                yield one, other


def _alike(one: Treatment, other: Treatment, named: set[str]) -> bool:
    factors = (one.levels.keys() | other.levels.keys()) - named
    return all(one.levels.get(factor) == other.levels.get(factor) for factor in factors)
