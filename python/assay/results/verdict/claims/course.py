"""Judges claims that a side rises, falls or is flat along an axis."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study.claims import CourseClaim
from assay.results.verdict import shapes, wording
from assay.results.verdict.claims.bindings import bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.relation import in_band, places_of, row, said_along, terms_of
from assay.results.verdict.claims.rows import missing, where
from assay.results.verdict.decision import Statement
from assay.results.verdict.phrases import phrase


def findings(claim: CourseClaim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields findings about each step along the axis and its two ends; for "is flat", about every two
    cells.
    """
    seen, flat = judging.seen, claim.direction == "is flat" and not (claim.axis.is_time or judging.window)
    if flat:
        judging = judging.of_levels
    whole = None if claim.by is None else in_band(claim.by, "<" if claim.direction == "falls" else ">")
    for cells in bindings(terms_of(claim.side), (claim.axis,), judging):
        along = row(claim.side, cells, judging)
        approaching = (
            seen.count_approaching(*places_of(cells)) if flat else len(judging.unlike(places_of(cells)))
        )
        if (none := missing(claim.side, cells, along)) is not None:
            yield none
            continue
        if claim.direction == "is flat":
            statement: Statement = shapes.flat(along, judging.margin)
            figure, key = along.apart(along.leading("max"), along.leading("min")), "differ"
        else:
            statement = shapes.changes(along, claim.direction, judging.margin, whole)
            figure = along.apart(len(cells) - 1, 0)
            key = "change"
        said = phrase(
            f"{key}-{figure.kind}",
            of=said_along(claim.side, cells),
            axis=str(claim.axis),
            first=along.names[0],
            last=along.names[-1],
            by=wording.amount(figure, judging.confidence, len(along.values)),
        )
        yield Finding(
            where(cells),
            (said,),
            len(along.values),
            figure,
            statement,
            approaching=approaching,
        )
