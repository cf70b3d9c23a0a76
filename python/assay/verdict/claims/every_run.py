"""What must not happen once: counted run by run, with the bound that so many runs can give."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from math import isclose

from assay.stats.proportion import most_of_all
from assay.study import EveryRunClaim
from assay.verdict import wording
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.levels import selected
from assay.verdict.results import RunsAgree


def _equal(value: float, figure: float) -> bool:
    return isclose(value, figure, rel_tol=1e-9)


HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "=": _equal,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}


def every_run(claim: EveryRunClaim, judging: Judging) -> Iterator[Finding]:
    """One run that is otherwise refutes it. None is support for as much as the number of runs can show.

    A failed run has no figure, and what made it fail may be the very thing: it is told beside the verdict.
    """
    measure, holds = claim.term.measure, HOLDS[claim.relation]
    for where, blocks in selected(claim.term, judging):
        if not blocks:
            yield Finding((where,), wording.not_measured((measure,), where))
            continue
        others = {block: value for block, value in sorted(blocks.items()) if not holds(value, claim.value)}
        failed = judging.seen.failed.get(where.treatment, 0)
        runs = RunsAgree(
            runs=len(blocks),
            otherwise=len(others),
            most=most_of_all(len(others), len(blocks), judging.confidence),
            confidence=judging.confidence,
            failed=failed,
        )
        unit = judging.seen.units[measure]
        said = wording.every_run(measure, unit, where, claim.relation, claim.value, others, runs)
        yield Finding(
            places=(where,),
            said=said + (wording.not_among_them(failed) if failed else ""),
            blocks=len(blocks),
            plain="refuted" if others else "supported",
            runs=runs,
            doubts=("failed-run",) if failed else (),
        )
