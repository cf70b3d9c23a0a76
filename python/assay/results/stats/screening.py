"""Analyses screens: the effects of single factors over all treatments of a design, and interactions of pairs.

Everything is linear in the values of one block, so a block gives one value of each effect, and intervals over
blocks are those of any other contrast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats.intervals import t_quantile, zero_p

Floats = NDArray[np.float64]
_SAME = 1e-9  # correlations that differ by rounding alone


@dataclass(frozen=True)
class CodedFactor:
    """A factor as columns of numbers: `levels` x columns. `rows` has the number of its level by treatment."""

    levels: Floats
    rows: tuple[int, ...]


def coded(rows: Sequence[int], levels: int, order: Sequence[int] | None = None) -> CodedFactor:
    """Returns a factor whose treatments have these numbers of levels.

    With `order`, the numbers of the levels along their scale, equal steps from -1 to 1: one column, and the
    effect is one line. Without, every level after the first has a column of its own.
    """
    if order is None:
        return CodedFactor(np.eye(levels)[:, 1:], tuple(rows))
    steps = np.linspace(-1, 1, levels)
    scale = np.empty((levels, 1))
    scale[list(order), 0] = steps
    return CodedFactor(scale, tuple(rows))


@dataclass(frozen=True)
class Screen:
    """The factors of a design, with the least-squares weights of its treatments."""

    factors: tuple[CodedFactor, ...]

    @property
    def weights(self) -> tuple[Floats, ...]:
        """The weights of the treatments in the mean of each level, an array (levels x treatments) for each
        factor.

        The other factors are held at their mean over the design. Where all are balanced over each other it is
        the mean of the treatments that have the level. Raises ValueError where factors move together so that
        they cannot be told apart.
        """
        columns = [factor.levels[list(factor.rows)] for factor in self.factors]
        centred = [column - column.mean(axis=0) for column in columns]
        model = np.hstack(centred)
        if np.linalg.matrix_rank(model) < model.shape[1]:
            raise ValueError("factors move together: their effects cannot be told apart")
        solution = np.linalg.pinv(model)  # columns x treatments
        found, start, count = [], 0, len(model)
        for factor, column in zip(self.factors, columns, strict=True):
            own = solution[start : start + column.shape[1]]
            found.append((factor.levels - column.mean(axis=0)) @ own + 1 / count)
            start += column.shape[1]
        return tuple(found)

    def spread(self) -> float:
        """Returns the standard deviation of the worst factor's effect in one block, by that of one run.

        Of two treatments it is 1.41; the more treatments a design has, the smaller.
        """
        return max(
            float(np.linalg.norm(weights[one] - weights[other]))
            for weights in self.weights
            for one, other in combinations(range(len(weights)), 2)
        )


@dataclass(frozen=True)
class PairAction:
    """The interaction of two factors with two levels each: the log of the ratio of two ratios, one value a
    block.

    The ratio of the second level of one factor to its first, where the other has its second level, over the
    same where that has its first, without what the pairs in `explained_by` do. `aliased` are the pairs that
    this design cannot tell from it at all; `mixed` is how many others leak into it in part, `share` how much
    at most. `is_told` is false where the pairs in `explained_by` leave nothing of it to see.
    """

    pair: tuple[int, int]
    logs: Floats
    aliased: tuple[tuple[int, int], ...]
    mixed: int
    share: float
    explained_by: tuple[tuple[int, int], ...] = ()
    is_told: bool = True


def pair_actions(signs: ArrayLike, logs: ArrayLike, confidence: float = 0.95) -> tuple[PairAction, ...]:
    """Returns the interaction of every pair of factors of a two-level design, by stepwise selection.

    `signs`: treatments x factors; `logs`: blocks x treatments. The largest pair that surely does something is
    taken first, at the level of all pairs together (Bonferroni), then the largest of what it leaves, and so
    on. A pair is estimated beside all that were taken: what they do leaks into it no more.
    """
    design, values = np.asarray(signs, dtype=np.float64), np.asarray(logs, dtype=np.float64)
    pairs = list(combinations(range(design.shape[1]), 2))
    products = np.stack([design[:, one] * design[:, other] for one, other in pairs], axis=1)
    alike = np.abs(products.T @ products) / len(design)
    taken = _taken(products, alike, values, confidence)
    found = []
    for number, pair in enumerate(pairs):
        others = [(other, float(share)) for other, share in enumerate(alike[number]) if other != number]
        aliased = tuple(pairs[other] for other, share in others if share > 1 - _SAME)
        mixed = [share for _, share in others if _SAME < share <= 1 - _SAME]
        beside = [one for one in taken if alike[number, one] <= 1 - _SAME]
        own = _beside(products, number, beside, values)
        found.append(
            PairAction(
                pair,
                4 * (values @ products[:, number]) / len(design) if own is None else own,
                aliased,
                len(mixed),
                max(mixed, default=0.0),
                tuple(pairs[one] for one in beside if alike[number, one] > _SAME),
                own is not None,
            )
        )
    return tuple(found)


def _taken(products: Floats, alike: Floats, values: Floats, confidence: float) -> list[int]:
    """Returns the numbers of the pairs that surely do something, in the order of their selection."""
    taken: list[int] = []
    while True:
        left = [one for one in range(len(alike)) if all(alike[one, other] <= 1 - _SAME for other in taken)]
        logs = {one: _beside(products, one, taken, values) for one in left}
        sure = {
            one: abs(float(of.mean()))
            for one, of in logs.items()
            if of is not None
            and (p := zero_p(of)) is not None
            and p <= (1 - confidence) / len(alike)
            and abs(float(of.mean())) > _SAME
        }
        if not sure:
            return taken
        taken.append(max(sure, key=lambda one: sure[one]))


def _beside(products: Floats, number: int, others: Sequence[int], values: Floats) -> Floats | None:
    """Returns one pair's interaction in every block by least squares beside others; None where they leave
    nothing of it.
    """
    own, beside = products[:, number], products[:, list(others)]
    if others:
        own = own - beside @ np.linalg.lstsq(beside, own, rcond=None)[0]
    size = float(own @ own)
    return None if size < _SAME * len(own) else np.asarray(4 * (values @ own) / size)


def leaks(signs: ArrayLike) -> float:
    """Returns the largest share of an interaction of two factors that shows as an effect of a third.

    0 of a design that is folded over.
    """
    design = np.asarray(signs, dtype=np.float64)
    found = [
        np.abs(design.T @ (design[:, one] * design[:, other])).max()
        for one, other in combinations(range(design.shape[1]), 2)
    ]
    return float(max(found)) / len(design)


@dataclass(frozen=True)
class Lenth:
    """Lenth's margins of error around effects of one block: for one effect alone, and for all of them
    together.
    """

    alone: float
    together: float


def lenth(effects: ArrayLike, confidence: float = 0.95) -> Lenth:
    """Returns margins of error from the effects themselves, where one block repeats nothing (Lenth 1989).

    Most effects of a screen do nothing, and their size is noise: 1.5 times the median of those below 2.5
    times the median of all, by Student's t with a third as many degrees of freedom as there are effects.
    Raises ValueError below three effects.
    """
    sizes = np.abs(np.asarray(effects, dtype=np.float64))
    if sizes.size < 3:
        raise ValueError("Lenth's margin of error needs at least three effects")
    rough = 1.5 * float(np.median(sizes))
    small = sizes[sizes < 2.5 * rough]
    error = 1.5 * float(np.median(small)) if small.size else rough
    degrees = sizes.size / 3
    each = (1 + confidence ** (1 / sizes.size)) / 2
    return Lenth(error * t_quantile((1 + confidence) / 2, degrees), error * t_quantile(each, degrees))
