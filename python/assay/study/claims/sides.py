"""Two terms of one claim: whether they can be held against each other."""

from __future__ import annotations

from assay.study.claims.reader import ClaimReader, Relation
from assay.study.claims.terms import Term
from assay.study.measures import comparable, parted


def both_sides(text: ClaimReader) -> tuple[Term, Relation, Term]:
    """`term relation term`. Raises ClaimSyntaxError for sides that cannot be compared."""
    left = text.term()
    at = text.skip()
    relation, right = text.relation(), text.term()
    if left == right:
        text.fail("both sides are the same", at)
    if not comparable(left.measure, right.measure):
        text.fail(f"compares {left.measure} with {right.measure}; both sides need the same measure", at)
    check_places(text, left, right, at)
    return left, relation, right


def check_places(text: ClaimReader, left: Term, right: Term, at: int) -> None:
    """Raises ClaimSyntaxError unless load points are on both sides or on neither, and two kinds of
    transactions are of the same treatments at the same load."""
    here, there = left.selector, right.selector
    alike = dict(here.levels) == dict(there.levels) and here.load == there.load
    if parted(left.measure)[0] != parted(right.measure)[0] and not alike:
        text.fail(
            f"compares {left.measure} with {right.measure} elsewhere; two kinds are compared where they"
            " ran together: write the same in [ ] on both sides",
            at,
        )
    if (here.load is None) != (there.load is None):
        ladder = (here if here.load is not None else there).load_kind
        text.fail(f"name {ladder} on both sides or on neither", at)
