"""Records of main effects in a factorial design: the effect of a level averaged over the other factors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from assay.design.study import Factor, level_text
from assay.reporting.report.material import Material
from assay.results.stats import PairedRatio, around, paired_ratio
from assay.results.verdict import FEW, ComparisonWord, higher_is_better, word_of

Levels = Mapping[str, str]  # factor -> level


@dataclass(frozen=True)
class MainEffect:
    """The effect of `level` relative to the first level of its factor, at one load.

    `smallest` and `largest` are the ratios at single combinations of the other factors: where they are far
    apart, the factors interact, and the mean says little.
    """

    measure: str
    load: float
    factor: str
    level: str
    baseline: str
    found: PairedRatio
    word: ComparisonWord
    smallest: float
    largest: float
    combinations: int


@dataclass(frozen=True)
class Mean:
    """The geometric mean of ratios over several pairs of treatments; `single` has the ratio of each."""

    found: PairedRatio
    word: ComparisonWord
    single: tuple[float, ...]


def main_effects(material: Material) -> list[MainEffect]:
    """Returns main effects by measure, load, factor and level.

    Empty unless two or more factors were varied together.
    """
    levels = _levels(material)
    factors = [one for one in material.study.factors if len({of.get(one.name) for of in levels.values()}) > 1]
    if material.study.design.kind != "factorial" or len(factors) < 2:
        return []
    return [
        effect
        for measure in material.results.headlines
        for load in material.results.loads
        for factor in factors
        for effect in _of_factor(material, measure, load, factor, levels)
    ]


def _levels(material: Material) -> dict[str, Levels]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in material.rows("SELECT treatment, factor, level FROM levels"):
        if row["treatment"] in material.results.treatments:
            found[row["treatment"]][row["factor"]] = row["level"]
    return dict(found)


def _of_factor(
    material: Material, measure: str, load: float, factor: Factor, levels: Mapping[str, Levels]
) -> Iterator[MainEffect]:
    first, *others = (level_text(level) for level in factor.levels)
    for level in others:
        pairs = [
            (one, other)
            for one, other in product(levels, levels)
            if levels[one].get(factor.name) == first
            and levels[other].get(factor.name) == level
            and _rest(levels[one], factor) == _rest(levels[other], factor)
        ]
        mean = mean_ratio(material, measure, load, pairs)
        if mean is None:
            continue
        name = factor.short_name
        yield MainEffect(
            measure,
            load,
            name,
            level,
            first,
            mean.found,
            mean.word,
            min(mean.single),
            max(mean.single),
            len(pairs),
        )


def mean_ratio(
    material: Material, measure: str, load: float, pairs: Sequence[tuple[str, str]]
) -> Mean | None:
    """Returns the geometric mean of the ratios of several pairs of treatments, paired by block; None where no
    block has them all.
    """
    logs = [_log_ratios(material, measure, load, *pair) for pair in pairs]
    blocks = sorted(set.intersection(*map(set, logs))) if logs and all(logs) else []
    if not blocks:
        return None
    means = np.array([np.mean([one[block] for one in logs]) for block in blocks])
    single = tuple(float(np.exp(np.mean([one[block] for block in blocks]))) for one in logs)
    gate = material.results.gate
    found = paired_ratio(np.ones_like(means), np.exp(means), gate.confidence)
    region = around(1.0, material.study.verdict.known_margin)
    word: ComparisonWord = (
        word_of(found, region, gate.fewest, higher_is_better(measure))
        if material.is_judged and not _is_estimate(material, measure, load, pairs)
        else "estimate-only"
    )
    return Mean(found, word, single)


def _is_estimate(material: Material, measure: str, load: float, pairs: Sequence[tuple[str, str]]) -> bool:
    """Returns whether some value is a lower bound, or a percentile of too few operations."""
    found = (material.estimate(one, load, measure) for pair in pairs for one in pair)
    return any(one.at_least or FEW in one.doubts for one in found if one is not None)


def _rest(levels: Levels, factor: Factor) -> Levels:
    return {name: level for name, level in levels.items() if name != factor.name}


def _log_ratios(material: Material, measure: str, load: float, one: str, other: str) -> dict[int, float]:
    """Returns the log-ratio of two treatments by block; empty where one was not measured or is zero."""
    before, after = (material.estimate(treatment, load, measure) for treatment in (one, other))
    if before is None or after is None:
        return {}
    base = dict(before.blocks)
    return {
        block: float(np.log(value / base[block]))
        for block, value in after.blocks
        if value > 0 and base.get(block, 0) > 0
    }
