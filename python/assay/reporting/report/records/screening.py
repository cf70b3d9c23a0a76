"""Records of a screen: the effect of each factor, and which factors deserve a study of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from assay.reporting.report.words import Words
from assay.results.verdict import FactorEffect, Results


@dataclass(frozen=True)
class EffectBar:
    """A factor's effect on one measure at one load point; with a single block `low` and `high` are
    Lenth's.
    """

    measure: str
    load: float
    factor: str
    first: str
    level: str
    ratio: float
    low: float | None
    high: float | None
    word: str


def ranked(results: Results) -> list[FactorEffect]:
    """Returns effects by measure and load point in the study's order, of each the largest first."""
    effects = () if results.screening is None else results.screening.effects
    shown = [one for one in effects if one.comparison.measure in results.headlines]

    def place(one: FactorEffect) -> tuple[int, int, float]:
        of = one.comparison
        return results.headlines.index(of.measure), results.loads.index(of.load), -_size(one)

    return sorted(shown, key=place)


def effect_bars(results: Results) -> list[EffectBar]:
    """Returns the ranked effects as bars."""
    return [_bar(one) for one in ranked(results)]


def is_single(effects: Sequence[FactorEffect]) -> bool:
    """Returns whether one block has been run, so that intervals are Lenth's."""
    return any(one.alone for one in effects)


def advised(results: Results, words: Words) -> str:
    """Returns sentences that say which factors to follow up, by the first measure.

    Of several load points one is enough to follow a factor up.
    """
    answers: dict[str, set[str]] = defaultdict(set)
    for one in sorted(ranked(results), key=_size, reverse=True):
        if one.comparison.measure == results.headlines[0]:
            answers[one.factor].add(one.follow_up)
    verdicts = {
        factor: next(answer for answer in ("yes", "open", "no") if answer in given)
        for factor, given in answers.items()
    }
    return words.sentences(
        words(f"screening.{answer}", factors=words.listed(one for one in verdicts if verdicts[one] == answer))
        for answer in ("yes", "open", "no")
        if answer in verdicts.values()
    )


def _size(one: FactorEffect) -> float:
    return abs(log(one.comparison.ratio))


def _bar(one: FactorEffect) -> EffectBar:
    of = one.comparison
    low, high = one.alone or (of.low, of.high)
    return EffectBar(of.measure, of.load, one.factor, one.first, one.level, of.ratio, low, high, of.word)
