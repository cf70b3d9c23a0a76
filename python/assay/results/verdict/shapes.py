"""Statements about a measure along a row of cells: that it rises, is flat, is best somewhere, or has its knee
there.

A cell is a rung of a ladder, or a treatment among others. All of it is paired by block: only blocks that have
every cell of a row count. Statements are made of ratios within blocks; of differences where a value is not
positive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from assay.results.stats import (
    Region,
    around,
    collapse_rungs,
    crossover_rungs,
    knee_rungs,
    mean_interval,
    not_beaten,
)
from assay.results.verdict.answers import Figure, Nearest
from assay.results.verdict.decision import All, Answers, Edges, Floats, Not, Some, Statement
from assay.results.verdict.question import Question, Relation, with_figure

Extreme = Literal["max", "min"]


@dataclass(frozen=True)
class Row:
    """Named cells in order, and their `values`, blocks × cells."""

    names: tuple[str, ...]
    values: Floats
    confidence: float
    unit: str = ""
    blocks: tuple[int, ...] = ()

    @property
    def relative(self) -> bool:
        """Whether all values are positive, so that ratios exist."""
        return bool((self.values > 0).all())

    @property
    def scale(self) -> Floats:
        """The values, or their logarithms where ratios exist: on this scale cells are compared by
        differences.
        """
        return np.log(self.values) if self.relative else self.values

    def pair(self, one: int, other: int, question: Question) -> Edges:
        """Returns the statement that compares two cells; where ratios exist, `question` is about one /
        other.
        """
        left, right = self.values[:, one], self.values[:, other]
        sign = "/" if self.relative else "−"
        name = f"{self.names[one]} {sign} {self.names[other]}"
        return Edges(question.of_pairs(left, right), Nearest(name, self.apart(one, other)))

    def apart(self, one: int, other: int) -> Figure:
        """Returns the ratio of two cells, or their difference."""
        scale = self.scale
        found = mean_interval(scale[:, one] - scale[:, other], self.confidence)
        if not self.relative:
            return Figure("level", found.value, found.low, found.high, self.unit)
        low, high = (None if end is None else float(np.exp(end)) for end in (found.low, found.high))
        return Figure("ratio", float(np.exp(found.value)), low, high)

    def level(self, cell: int, question: Question) -> Edges:
        """Returns the statement that compares one cell with a figure."""
        values = self.values[:, cell]
        relative = bool((values > 0).all()) and question.positive
        contrasts = question.of_logs(np.log(values)) if relative else question.of_levels(values)
        return Edges(contrasts, Nearest(self.names[cell], self.of(cell)))

    def of(self, cell: int) -> Figure:
        """Returns one cell's mean over blocks, as a figure."""
        values = self.values[:, cell]
        logs = bool((values > 0).all())
        found = mean_interval(np.log(values) if logs else values, self.confidence)
        ends = (found.value, found.low, found.high)
        value, low, high = (None if end is None else float(np.exp(end)) if logs else end for end in ends)
        return Figure("level", value or 0.0, low, high, self.unit)

    def leading(self, word: Literal["best", "max", "worst", "min"]) -> int:
        """Returns the cell with the largest mean, or with the smallest."""
        means = self.scale.mean(axis=0)
        return int(means.argmax() if word in ("best", "max") else means.argmin())


def changes(row: Row, way: Literal["rises", "falls"], margin: float, whole: Question | None = None) -> All:
    """Returns the statement that a row rises or falls: no step in the other direction beyond the margin, and
    a change from first to last.

    `whole` is asked of last / first instead of "beyond the margin".
    """
    last = len(row.names) - 1
    region = around(1.0, margin)
    step, end = Question(">=", region, of_treatments=True), Question(">", region, of_treatments=True)
    pairs = [(cell + 1, cell) for cell in range(last)]
    ends = (last, 0)
    if way == "falls":
        pairs, ends = [(one, other) for other, one in pairs], (0, last)
    over_all = row.pair(*ends, end) if whole is None else row.pair(last, 0, whole)
    return All((*(row.pair(*pair, step) for pair in pairs), over_all))


def flat(row: Row, margin: float) -> All:
    """Returns the statement that every two cells are the same within the margin."""
    same = Question("~", around(1.0, margin), of_treatments=True)
    return All(tuple(row.pair(other, one, same) for one, other in combinations(range(len(row.names)), 2)))


def spread(row: Row, relation: Relation, share: float, margin: float) -> Statement:
    """Returns the statement that compares (largest − smallest) / smallest with `share`, by all pairs of
    cells.
    """
    if relation == "~":
        least, most = share / (1 + margin), share * (1 + margin)
        return All((_spread_below(row, most), Not(_spread_below(row, least))))
    below = _spread_below(row, share)
    return below if relation.startswith("<") else Not(below)


def _spread_below(row: Row, share: float) -> All:
    within = Question("~", Region(1 / (1 + share), 1 + share), of_treatments=True)
    return All(tuple(row.pair(other, one, within) for one, other in combinations(range(len(row.names)), 2)))


def extreme(row: Row, word: Extreme, relation: Relation, figure: float, margin: float) -> Statement:
    """Returns the statement that compares the largest or smallest cell with a figure: it is below when all
    are, above when one is.
    """
    if relation == "~":
        edges = with_figure("~", figure, margin).region
        return All(
            (extreme(row, word, "<=", edges.high, margin), extreme(row, word, ">=", edges.low, margin))
        )
    question = with_figure(relation, figure, margin)
    cells = tuple(row.level(cell, question) for cell in range(len(row.names)))
    return All(cells) if (word == "max") == relation.startswith("<") else Some(cells)


def best(row: Row, word: Literal["best", "worst"]) -> Answers:
    """Returns which cells may be the best at a confidence: those that no other beats."""
    scale = row.scale if word == "best" else -row.scale
    return lambda confidence: _numbers(not_beaten(scale, confidence))


def knee(row: Row, share: float) -> Answers:
    """Returns which cells may be the first with at least `share` of the highest value. Needs ratios."""
    return lambda confidence: _numbers(knee_rungs(row.scale, share, confidence))


def collapse(row: Row, lost: float) -> Answers:
    """Returns which cells may be the first, past the best, that have lost this share; one number beyond the
    last means none.
    """
    return lambda confidence: _numbers(collapse_rungs(row.scale, 1 - lost, confidence))


def crossover(first: Row, second: Row) -> Answers:
    """Returns which cells may be the first where `second` is ahead; one number beyond the last means none.
    Both rows need the same blocks.
    """
    logs = first.scale - second.scale
    return lambda confidence: _numbers(crossover_rungs(logs, confidence))


def _numbers(flags: np.ndarray) -> frozenset[int]:
    return frozenset(np.flatnonzero(flags).tolist())


def row_of(
    names: Sequence[str], blocks: Sequence[Mapping[int, float]], confidence: float, unit: str = ""
) -> Row:
    """Returns the row of the blocks that have all of the cells; cells have one value a block."""
    common = sorted(set.intersection(*(set(one) for one in blocks))) if blocks else []
    values = np.array([[one[block] for one in blocks] for block in common]).reshape(len(common), len(blocks))
    return Row(tuple(names), values, confidence, unit, tuple(common))


def common(one: Row, other: Row) -> tuple[Row, Row] | None:
    """Returns both rows restricted to the blocks that both have; None where there are none."""
    both = [block for block in one.blocks if block in other.blocks]
    if not both:
        return None
    first, second = (replace(of, values=of.values[[of.blocks.index(b) for b in both]]) for of in (one, other))
    return first, second
