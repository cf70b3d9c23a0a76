"""Judges a relation between means over all points of an axis: `tps[a=2]/tps[a=1] >= 1.1 over threads`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np

from assay.design.study.claims import Axis, Band, Quotient, Side
from assay.design.study.claims import Figure as Number
from assay.design.study.claims import Relation as Asked
from assay.results.verdict.claims.bindings import Cell, bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.relation import (
    Value,
    between,
    held_against,
    level,
    plain,
    row,
    said_along,
    terms_of,
    unit_of,
)
from assay.results.verdict.claims.rows import where
from assay.results.verdict.observations import Blocks
from assay.results.verdict.phrases import phrase
from assay.results.verdict.question import Question, with_figure


def findings(
    left: Value, relation: Asked, right: Side, band: Band | None, axis: Axis, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields a finding for every row of cells along the axis at which both sides can be compared."""
    question = (
        with_figure(plain(relation), right.value, judging.margin)
        if isinstance(right, Number)
        else between(relation, band, judging.margin)
    )
    for cells in bindings((*terms_of(left), *terms_of(right)), (axis,), judging):
        yield _of_row(left, relation, right, cells, axis, question, judging)


def _of_row(
    left: Value,
    relation: Asked,
    right: Side,
    cells: Sequence[Cell],
    axis: Axis,
    question: Question,
    judging: JudgingContext,
) -> Finding:
    at = where(cells)
    one, other = left, right
    if isinstance(left, Quotient) and isinstance(right, Number):
        one, other = left.numerator, left.denominator
    mean = _mean(one, cells, judging)
    name = phrase("over", of=said_along(one, cells), axis=str(axis))
    if mean is None or not mean:
        return Finding(at, (phrase("no-mean", of=name),))
    if isinstance(other, Number):
        return level(at, name, mean, unit_of(one, judging), relation, question, judging)
    against = _mean(cast(Value, other), cells, judging)
    names = name, phrase("over", of=said_along(other, cells), axis=str(axis))
    return held_against(at, names, mean, against or {}, relation, question, judging, unit_of(one, judging))


def _mean(side: Value, cells: Sequence[Cell], judging: JudgingContext) -> Blocks | None:
    """Returns the geometric mean over the cells in every block that has all of them; None where a value is
    not positive.
    """
    along = row(side, cells, judging)
    if not along.relative:
        return None
    return dict(zip(along.blocks, np.exp(along.scale.mean(axis=1)).tolist(), strict=True))
