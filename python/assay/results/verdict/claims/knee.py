"""Judges claims about a knee or a collapse: in a range of rungs, or before another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.design.study.claims import Bend, KneeClaim
from assay.results.verdict import shapes
from assay.results.verdict.claims.bindings import Cell, bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.relation import row, said_along
from assay.results.verdict.claims.rows import gaps, in_words, listed, located, missing, not_measured, where
from assay.results.verdict.decision import Answers, InOrder, Within
from assay.results.verdict.phrases import Phrase, percent, phrase


def findings(claim: KneeClaim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields, for each row, the rungs that may be the knee: all of them must lie in the range, or none."""
    if isinstance(claim.where, Bend):
        yield from _in_order(claim, claim.where, judging)
        return
    bend = claim.bend
    for cells in bindings((bend.term,), (bend.axis,), judging):
        along = row(bend.term, cells, judging)
        name = _named(bend, cells)
        if (none := missing(bend.term, cells, along)) is not None:
            yield none
        elif not along.relative:
            yield Finding(where(cells), (phrase("point-of-zeros", point=name),))
        else:
            statement = Within(_answers(bend, along), gaps(along, claim.where), in_words(claim.where))
            yield located(name, cells, along, statement, judging)


def _in_order(claim: KneeClaim, other: Bend, judging: JudgingContext) -> Iterator[Finding]:
    bends = (claim.bend, other)
    for cells in bindings([bend.term for bend in bends], (claim.bend.axis,), judging):
        rows = [row(bend.term, cells, judging) for bend in bends]
        blocks = min(len(along.values) for along in rows)
        if not blocks or not all(along.relative for along in rows):
            yield not_measured(claim.bend.term, cells)
            continue
        one, two = (_answers(bend, along) for bend, along in zip(bends, rows, strict=True))
        places = [
            phrase("lies-at", what=_named(bend, cells), found=listed(along, _answers(bend, along), judging))
            for bend, along in zip(bends, rows, strict=True)
        ]
        said = phrase(
            "two-points",
            one=places[0],
            other=places[1],
            percent=percent(judging.confidence),
            blocks=blocks,
        )
        statement = InOrder(one, "~" if claim.relation == "=" else claim.relation, two)
        yield Finding(
            where(cells),
            (said,),
            blocks,
            asserts=statement,
        )


def _named(bend: Bend, cells: Sequence[Cell]) -> Phrase:
    return phrase(f"point-{bend.word}", share=f"{bend.percent:g}", of=said_along(bend.term, cells))


def _answers(bend: Bend, along: shapes.Row) -> Answers:
    of = shapes.knee if bend.word == "knee" else shapes.collapse
    return of(along, bend.percent / 100)
