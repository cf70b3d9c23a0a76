"""The claims `lost_commits = 0 in every run` and `p99_ms < 50 in 90 % of runs`: what must hold in runs,
whatever the mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from assay.design.study.claims.axes import Order
from assay.design.study.claims.expressions import EXTREME, term_of
from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.reader import EVERY_RUN, MEASURE, OF_THE_RUNS, ClaimReader
from assay.design.study.claims.terms import Term
from assay.design.study.values import level_text

_EXACTLY = re.compile(r"=\s*(?=[+-]?\d)(?!" + MEASURE.pattern + ")")
_IN_SHARE = re.compile(r"in\s+(?=\d)")


@dataclass(frozen=True)
class EveryRunClaim(ClaimKind):
    """Claims that a measure has a value in every run, where a single run with another value refutes it, or in
    a share of all runs.
    """

    term: Term
    relation: Literal["=", ">", "<", ">=", "<="]
    value: float
    percent: float = 100.0

    uses_margin = False

    @property
    def of_every_run(self) -> bool:
        return self.percent == 100

    @classmethod
    def parse(cls, text: ClaimReader) -> EveryRunClaim | None:
        if not text.peek(MEASURE) or text.peek(EXTREME):
            return None
        found = term_of(text)
        unit = found.unit
        start = text.skip()
        if text.match(_EXACTLY):
            value = text.figure(found.measure, unit)
            percent = _runs(text)
            if percent is None:
                text.fail(
                    '"=" needs "in every run" after its figure; for "the same within the margin" write ~',
                    start,
                )
            return cls(_of_one_run(text, found, start), "=", value, percent)
        if not text.relation_next():
            return None
        relation = text.relation()
        if not text.figure_next():
            return None
        value = text.figure(found.measure, unit)
        percent = _runs(text)
        if percent is None:
            return None
        if relation in ("~", "!~"):
            text.fail(f'"{relation}" has no meaning in every run: write =, >, <, >= or <=', start)
        return cls(_of_one_run(text, found, start), cast(Order, relation), value, percent)

    def __str__(self) -> str:
        runs = "every run" if self.of_every_run else f"{level_text(self.percent)} % of runs"
        return f"{self.term} {self.relation} {level_text(self.value)} in {runs}"


def _runs(text: ClaimReader) -> float | None:
    """Reads `in every run` as 100, `in 90 % of runs` as 90; returns None where neither stands."""
    if text.match(EVERY_RUN):
        return 100.0
    if not text.match(_IN_SHARE):
        return None
    at = text.skip()
    percent = text.number()
    if not text.match(OF_THE_RUNS):
        text.fail('expected "% of runs", as in in 90 % of runs', text.skip())
    if not 0 < percent <= 100:
        text.fail("a share of the runs is above 0 and at most 100 %", at)
    return percent


def _of_one_run(text: ClaimReader, term: Term, at: int) -> Term:
    if term.summary is not None and term.summary.over_runs:
        text.fail(f'"{term.summary}" is of several runs: it has no value in one', at)
    return term
