"""Text of a claim -> Claim, by recursive descent. `claim_reader` reads the pieces.

    claim    := term relation term                        order (> < >= <=), equal (~)
              | term "/" term relation figure             ratio
              | term relation figure [unit]               level
              | term ("=" | order) figure [unit] "in every run"
    term     := [ kind "." ] measure [ "[" item { "," item } "]" ]
    item     := factor "=" level | "threads" "=" number | "rate" "=" number | "iodepth" "=" number
    relation := order | "~"
    order    := ">" | "<" | ">=" | "<="

Both terms of a claim have the same measure, or those of two phases of one window (`degraded_per_s` and
`healthy_per_s`). A kind is one of the workload's kinds of transactions, or a job on files; two kinds are
compared where they ran together.

A level with blanks, commas, brackets, quotes or "=" in it stands in double quotes, escaped as in JSON.
"""

from __future__ import annotations

import re
from typing import Literal, cast

from assay.study.claim_reader import EVERY_RUN, FIGURE, MEASURE, ClaimReader, ClaimSyntaxError
from assay.study.claims import Claim, EqualClaim, EveryRunClaim, LevelClaim, OrderClaim, RatioClaim, Term
from assay.study.measures import comparable, parted

__all__ = ["ClaimSyntaxError", "parse_claim"]

_RELATION = re.compile(r">=|<=|==|!=|=|>|<|~")
_EXACT = re.compile(r"=\s*(?=[+-]?\d)(?!" + MEASURE.pattern + ")")

Relation = Literal[">", "<", ">=", "<=", "~"]


def parse_claim(text: str) -> Claim:
    """The claim as written: factor names are not looked up, levels are text. Raises ClaimSyntaxError."""
    return _Parser(text).claim()


class _Parser(ClaimReader):
    def claim(self) -> Claim:
        left = self.term()
        if self.take("/"):
            return self.ratio(left)
        start = self.skip()
        if self.match(_EXACT):
            return self.exactly(left, start)
        relation = self.relation()
        if self.peek(FIGURE) and not self.peek(MEASURE):
            value = self.figure(left)
            if self.match(EVERY_RUN):
                return self.every_run(left, relation, value, start)
            self.end()
            return LevelClaim(left, relation, value)
        right = self.term()
        self.end()
        if left == right:
            self.fail("both sides are the same", start)
        if not comparable(left.measure, right.measure):
            self.fail(
                f"compares {left.measure} with {right.measure}; both sides need the same measure", start
            )
        self.same_place(left, right, start)
        return EqualClaim(left, right) if relation == "~" else OrderClaim(left, relation, right)

    def exactly(self, term: Term, start: int) -> Claim:
        value = self.figure(term)
        if not self.match(EVERY_RUN):
            self.fail(
                '"=" needs "in every run" after its figure; for "the same within the margin" write ~', start
            )
        self.end()
        return EveryRunClaim(term, "=", value)

    def every_run(self, term: Term, relation: Relation, value: float, start: int) -> Claim:
        if relation == "~":
            self.fail('"~" has no meaning in every run: write =, >, <, >= or <=', start)
        self.end()
        return EveryRunClaim(term, relation, value)

    def ratio(self, numerator: Term) -> Claim:
        start = self.skip()
        denominator = self.term()
        if not comparable(numerator.measure, denominator.measure):
            self.fail(
                f"a ratio of {numerator.measure} and {denominator.measure}; both need the same measure", start
            )
        if numerator == denominator:
            self.fail("a ratio of a thing to itself", start)
        self.same_place(numerator, denominator, start)
        relation = self.relation()
        if not self.peek(FIGURE):
            self.fail(
                "a ratio is compared with a figure, as in 'qps[index=on]/qps[index=off] >= 1000'", self.skip()
            )
        at = self.skip()
        value = self.number()
        if value <= 0:
            self.fail("a ratio is compared with a figure above 0", at)
        self.end()
        return RatioClaim(numerator, denominator, relation, value)

    def same_place(self, left: Term, right: Term, at: int) -> None:
        """Load points on both sides or on neither; two kinds in the same treatments at the same load."""
        here, there = left.selector, right.selector
        alike = dict(here.levels) == dict(there.levels) and here.load == there.load
        if parted(left.measure)[0] != parted(right.measure)[0] and not alike:
            self.fail(
                f"compares {left.measure} with {right.measure} elsewhere; two kinds are compared where they"
                " ran together: write the same in [ ] on both sides",
                at,
            )
        if (left.selector.load is None) != (right.selector.load is None):
            self.fail(f"name {_load_kind(left, right)} on both sides or on neither", at)

    def relation(self) -> Relation:
        at = self.skip()
        found = self.match(_RELATION)
        if found in ("=", "==", "!="):
            self.fail(f'"{found}" is no relation here; for "the same within the margin" write ~', at)
        if found is None:
            self.fail("one of > < >= <= ~ is expected here", at)
        return cast(Relation, found)


def _load_kind(left: Term, right: Term) -> str:
    return (left if left.selector.load is not None else right).selector.load_kind
