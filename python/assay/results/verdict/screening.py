"""Analyses screens: compares levels of factors over all treatments, in place of treatments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log

import numpy as np

from assay.design.study import Factor, Study, factor_labels, is_scaled, level_text, row_name, screen_rows
from assay.design.study.claims import position
from assay.results.stats import (
    Gate,
    Lenth,
    Screen,
    around,
    coded,
    false_discovery,
    family_wise,
    leaks,
    lenth,
    pair_actions,
    paired_ratio,
    zero_p,
)
from assay.results.verdict.compared import Comparison, ComparisonWord, Place
from assay.results.verdict.comparisons import word_of
from assay.results.verdict.effects import FactorEffect, FollowUp, Interaction, Screening
from assay.results.verdict.observations import Blocks, Cell, Floats, Kinds, Observations
from assay.results.verdict.treatments import Treatment

_MIXED = 1e-9


@dataclass(frozen=True)
class Screened:
    """The design of a screen: its rows, and every level of every factor as a treatment of its own.

    A level's value in a block is that of its rows, the other factors at their mean; a block without one of
    the rows has none.
    """

    study: Study

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """Names of the treatments in the design's order."""
        return tuple(row_name(number) for number in range(1, len(self._rows) + 1))

    @cached_property
    def levels(self) -> tuple[Treatment, ...]:
        """One treatment for each level of each factor, by the factor's name: `innodb_purge_threads=4`."""
        labels = factor_labels(self.study.factors)
        return tuple(
            Treatment(f"{labels[factor.name]}={level_text(level)}", {factor.name: level_text(level)})
            for factor in self.study.factors
            for level in factor.levels
        )

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Levels that are compared: of each factor the first with the others, or both ends of its scale."""
        return tuple((one.name, other.name) for of in self.study.factors for one, other in self._pairs(of))

    def within(self, seen: Observations) -> Observations:
        """Returns the observations of the rows, and those of each level: its rows pooled."""
        by_cell: dict[tuple[str, float], dict[str, Blocks]] = defaultdict(dict)
        for (measure, treatment, load), blocks in seen.values.items():
            by_cell[measure, load][treatment] = blocks
        values = dict(seen.values)
        for (measure, load), by_row in by_cell.items():
            values |= {(measure, name, load): blocks for name, blocks in self._pooled(by_row).items()}
        return replace(
            seen,
            values=values,
            left_out=self._kinds(seen.left_out, self.rows),
            warned=self._kinds(seen.warned),
            approaching=self._kinds(seen.approaching, half=True),
            at_least=self._marked(seen.at_least),
            few=self._marked(seen.few),
            facts=lambda name: {**(found := seen.facts(name)), **self._pooled(found)},
            data=seen.data.pooled(self._members),
        )

    def logs(self, seen: Observations, measure: str, load: float) -> Floats | None:
        """Returns logarithms, blocks x rows, of complete blocks; None where a value has no logarithm."""
        found = [seen.blocks(measure, Place(row, load)) for row in self.rows]
        common = sorted(set.intersection(*(set(blocks) for blocks in found)))
        values = np.array([[blocks[block] for blocks in found] for block in common])
        return np.log(values) if len(common) and (values > 0).all() else None

    @cached_property
    def is_mixed(self) -> bool:
        """Whether what two factors do together shows as an effect of a third: such effects have no word."""
        return self.study.design.kind == "plackett-burman" and leaks(self.signs) > _MIXED

    def candidates(self, compared: Sequence[Comparison]) -> tuple[Comparison, ...]:
        """Returns comparisons with the words of a screen, which names candidates: what is certain of a level
        over all treatments is worth a study, since three factors together may make it.
        """
        return tuple(self._candidate(one) for one in compared)

    def _candidate(self, one: Comparison) -> Comparison:
        if (one.baseline, one.other) not in self.pairs:
            return one
        if self.is_mixed:
            return replace(one, word="estimate-only", more_blocks=None, beyond_p=None, q_value=None)
        return replace(one, word=_of_a_screen(one.word))

    @property
    def signs(self) -> Floats:
        """Rows x factors of a design of two levels: -1 for the first level, 1 for the second."""
        return np.array(
            [
                [-1.0 if row[one.name] == one.levels[0] else 1.0 for one in self.study.factors]
                for row in self._rows
            ]
        )

    def _pooled(self, by_row: Mapping[str, Blocks]) -> dict[str, Blocks]:
        """Returns means of levels: geometric ones, or arithmetic ones for a measure that has zeros."""
        found = [by_row.get(row, {}) for row in self.rows]
        common = sorted(set.intersection(*(set(blocks) for blocks in found)))
        if not common:
            return {}
        values = np.array([[blocks[block] for block in common] for blocks in found])
        positive = bool((values > 0).all())
        means = self._weights @ (np.log(values) if positive else values)
        of_levels = np.exp(means) if positive else means
        return {
            level.name: dict(zip(common, row.tolist(), strict=True))
            for level, row in zip(self.levels, of_levels, strict=True)
        }

    def _kinds(
        self, found: Mapping[Cell, Mapping[int, Kinds]], rows: Sequence[str] = (), *, half: bool = False
    ) -> dict[Cell, Mapping[int, Kinds]]:
        """Returns kinds of doubts by level: those of its rows; with `half`, where half of the rows have one.

        One window of many that was still approaching its level moves a mean by little.
        """
        of_levels: dict[Cell, Mapping[int, Kinds]] = dict(found)
        for level in self.levels:
            members = rows or self._members[level.name]
            for load in {load for _, load in found}:
                said: dict[int, list[Kinds]] = defaultdict(list)
                for row in members:
                    for block, kinds in found.get((row, load), {}).items():
                        said[block].append(kinds)
                least = len(members) / 2 if half else 1
                if kept := {
                    block: tuple(dict.fromkeys(kind for kinds in each for kind in kinds))
                    for block, each in said.items()
                    if len(each) >= least
                }:
                    of_levels[level.name, load] = kept
        return of_levels

    def _marked(
        self, found: Mapping[tuple[str, str, float], frozenset[int]]
    ) -> Mapping[tuple[str, str, float], frozenset[int]]:
        """Returns the blocks with lower bounds, or of too few operations, by level: those of any of its
        rows.
        """
        of_levels = dict(found)
        for measure, load in dict.fromkeys((measure, load) for measure, _, load in found):
            for level in self.levels:
                rows = (found.get((measure, row, load), frozenset()) for row in self._members[level.name])
                of_levels[measure, level.name, load] = frozenset().union(*rows)
        return of_levels

    @cached_property
    def _rows(self) -> tuple[Mapping[str, object], ...]:
        return screen_rows(self.study.design, self.study.factors)

    @cached_property
    def _members(self) -> Mapping[str, tuple[str, ...]]:
        return {
            level.name: tuple(
                name
                for name, row in zip(self.rows, self._rows, strict=True)
                if all(level_text(row[factor]) == text for factor, text in level.levels.items())  # type: ignore[arg-type]
            )
            for level in self.levels
        }

    @cached_property
    def _weights(self) -> Floats:
        return np.vstack(design_of(self.study).weights)

    def _pairs(self, factor: Factor) -> Iterator[tuple[Treatment, Treatment]]:
        levels = [one for one in self.levels if factor.name in one.levels]
        if is_scaled(factor):
            order = _along(factor)
            yield levels[order[0]], levels[order[-1]]
        else:
            yield from ((levels[0], other) for other in levels[1:])


def design_of(study: Study) -> Screen:
    """Returns the design of a screen as numbers."""
    rows = screen_rows(study.design, study.factors)
    return Screen(
        tuple(
            coded(
                [factor.levels.index(row[factor.name]) for row in rows],
                len(factor.levels),
                _along(factor) if is_scaled(factor) or len(factor.levels) == 2 else None,
            )
            for factor in study.factors
        )
    )


def _along(factor: Factor) -> list[int]:
    """Returns the numbers of the levels along their scale; of two levels, as the study lists them."""
    if not is_scaled(factor):
        return list(range(len(factor.levels)))
    return sorted(range(len(factor.levels)), key=lambda number: position(factor.levels[number]) or 0.0)


def screening(
    screened: Screened, seen: Observations, compared: Sequence[Comparison], loads: Sequence[float], gate: Gate
) -> Screening:
    """Returns the effect of every factor, and of pairs of factors where the design can tell them."""
    study = screened.study
    return Screening(
        kind=study.design.kind,
        folded=study.design.kind == "plackett-burman" and study.design.fold_over,
        effects=tuple(_effects(screened, compared, gate)),
        interactions=tuple(_interactions(screened, seen, loads, gate)),
    )


def _effects(screened: Screened, compared: Sequence[Comparison], gate: Gate) -> Iterator[FactorEffect]:
    pairs = set(screened.pairs)
    families: dict[tuple[str, float], list[Comparison]] = defaultdict(list)
    for one in compared:
        if (one.baseline, one.other) in pairs:
            families[one.measure, one.load].append(one)
    for found in families.values():
        margins = _margins(found, gate.confidence)
        known = [one.beyond_p for one in found if one.beyond_p is not None]
        adjusted = iter(family_wise(known))
        for one in found:
            factor, _, level = one.other.partition("=")
            alone = _around(one.ratio, margins.alone) if margins else None
            together = _around(one.ratio, margins.together) if margins else None
            yield FactorEffect(
                factor=factor,
                level=level,
                first=one.baseline.partition("=")[2],
                comparison=screened.candidates([one])[0],
                family_p=None if one.beyond_p is None or screened.is_mixed else next(adjusted),
                alone=alone,
                together=together,
                follow_up=_follow_up(one, alone),
            )


def _margins(found: Sequence[Comparison], confidence: float) -> Lenth | None:
    """Returns Lenth's margins of error, where nothing was repeated."""
    if len(found) < 3 or any(one.blocks != 1 for one in found):
        return None
    return lenth([log(one.ratio) for one in found], confidence)


def _around(ratio: float, half: float) -> tuple[float, float]:
    return ratio * exp(-half), ratio * exp(half)


def _follow_up(one: Comparison, alone: tuple[float, float] | None) -> FollowUp:
    if one.word == "same":
        return "no"
    low, high = alone or (one.low, one.high)
    if low is None or high is None:
        return "open"
    return "yes" if low > 1 or high < 1 else "open"


def _interactions(
    screened: Screened, seen: Observations, loads: Sequence[float], gate: Gate
) -> Iterator[Interaction]:
    """Yields pairs of a design that is folded over: in others they are mixed with effects of factors."""
    study = screened.study
    if study.design.kind != "plackett-burman" or not study.design.fold_over:
        return
    labels = factor_labels(study.factors)
    names = [labels[factor.name] for factor in study.factors]
    region = around(1.0, study.verdict.known_margin)
    for measure in study.headlines:
        for load in loads:
            logs = screened.logs(seen, measure, load)
            if logs is None:
                continue
            found = pair_actions(screened.signs, logs, gate.confidence)
            places = [Place(row, load) for row in screened.rows]
            unsure = bool(seen.too_few(measure, *places) or seen.bounds(measure, *places))
            p_values = [zero_p(one.logs) for one in found]
            known = iter(false_discovery([p for p in p_values if p is not None]))
            for one, p in zip(found, p_values, strict=True):
                ratio = paired_ratio(np.ones_like(one.logs), np.exp(one.logs), gate.confidence)
                is_judged = one.is_told and not seen.barred and not unsure
                word = word_of(ratio, region, gate.fewest, higher=True) if is_judged else "estimate-only"
                yield Interaction(
                    measure=measure,
                    load=load,
                    factors=(names[one.pair[0]], names[one.pair[1]]),
                    ratio=ratio.ratio,
                    low=ratio.low,
                    high=ratio.high,
                    blocks=ratio.n,
                    word=_of_a_screen(word),
                    q_value=None if p is None else next(known),
                    aliased=tuple((names[a], names[b]) for a, b in one.aliased),
                    mixed=one.mixed,
                    share=one.share,
                    explained_by=tuple((names[a], names[b]) for a, b in one.explained_by),
                )


def _of_a_screen(word: ComparisonWord) -> ComparisonWord:
    """Returns the word of a screen: whatever is certain asks for a study of its own."""
    return "worth-a-study" if word in ("better", "worse", "more", "less") else word
