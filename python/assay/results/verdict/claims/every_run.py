"""Judges claims that must hold in every run, or in a share of all runs, and bounds how often a run may break
one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from math import isclose

from assay.design.study import EveryRunClaim
from assay.results.stats import most_of_all, share_interval
from assay.results.verdict import wording
from assay.results.verdict.answers import Figure, RunsAgree
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.pairs import named
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import InShare
from assay.results.verdict.phrases import Amount, Clauses, Explanation, Phrase, given, percent, phrase


def _equal(value: float, figure: float) -> bool:
    return isclose(value, figure, rel_tol=1e-9)


HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "=": _equal,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}


_SIDES = {"=": "equal", ">": "above", "<": "below", ">=": "least", "<=": "most"}
_SHOWN = 3


def findings(claim: EveryRunClaim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields one finding: a single run that breaks the claim refutes it; without one, support is bounded by
    the number of runs.

    A failed run has no figure, and may have failed for the very reason that the claim is about: it is
    reported beside the verdict.
    """
    measure, holds = claim.term.measure, HOLDS[claim.relation]
    for where, blocks in judging.selected(claim.term):
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
        unit = judging.unit(claim.term)
        limit = phrase(f"limit-{_SIDES[claim.relation]}", value=given(claim.value, unit))
        if not claim.of_every_run:
            yield _share(claim, where, limit, runs, failed, judging.confidence)
            continue
        yield Finding(
            where=(where,),
            said=_in_runs(wording.side(named(claim.term), where), limit, others, unit, runs),
            beside=_beside(failed),
            blocks=len(blocks),
            figure=Figure("share", len(others) / len(blocks), 0.0, runs.most),
            plain="refuted" if others else "supported",
            runs=runs,
            doubts=("failed-run",) if failed else (),
        )


def _share(
    claim: EveryRunClaim, where: Place, limit: Phrase, runs: RunsAgree, failed: int, confidence: float
) -> Finding:
    """Returns the finding about a share of all runs, of which those that were done are a sample."""
    holding = runs.runs - runs.otherwise
    low, high = share_interval(holding, runs.runs, confidence)
    said = phrase(
        "share-of-runs",
        side=wording.side(named(claim.term), where),
        limit=limit,
        holding=holding,
        runs=runs.runs,
        percent=percent(confidence),
        share=Amount(100 * holding / runs.runs, "%", 100 * low, 100 * high),
    )
    return Finding(
        where=(where,),
        said=(said,),
        beside=_beside(failed),
        blocks=runs.runs,
        figure=Figure("share", holding / runs.runs, low, high),
        asserts=InShare(holding, runs.runs, claim.percent / 100),
        doubts=("failed-run",) if failed else (),
    )


def _in_runs(side: Phrase, limit: Phrase, others: Mapping[int, float], unit: str, runs: RunsAgree) -> Clauses:
    """Returns the words "0 in every one of 6 runs; at 95 % confidence at most …", "not 0 in 1 of 6 runs (2 in
    block 3)".
    """
    if others:
        shown = [
            phrase("in-block", value=given(other, unit), block=block)
            for block, other in list(others.items())[:_SHOWN]
        ]
        if len(others) > _SHOWN:
            shown.append(phrase("and-more"))
        counts = {"otherwise": runs.otherwise, "runs": runs.runs}
        return (phrase("not-in-runs", side=side, limit=limit, shown=tuple(shown), **counts),)
    key = "in-the-only-run" if runs.runs == 1 else "in-every-run"
    return phrase(key, side=side, limit=limit, runs=runs.runs), wording.bound(runs)


def _beside(failed: int) -> Explanation:
    """Returns a sentence with the number of failed runs, which count neither for the claim nor against it."""
    return ((phrase("failed-beside", failed=failed),),) if failed else ()
