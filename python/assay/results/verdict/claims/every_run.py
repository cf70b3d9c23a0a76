"""Judges claims that must hold in every run, or in a share of all runs, and bounds how often a run may break
one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from math import isclose

from assay.base.wording import counted
from assay.design.study import EveryRunClaim
from assay.results.stats import most_of_all, share_interval
from assay.results.verdict import wording
from assay.results.verdict.answers import Figure, RunsAgree
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.pairs import named
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import InShare


def _equal(value: float, figure: float) -> bool:
    return isclose(value, figure, rel_tol=1e-9)


HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "=": _equal,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}


_SIDES = {"=": "", ">": "above ", "<": "below ", ">=": "at least ", "<=": "at most "}


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
        said = f"{_SIDES[claim.relation]}{wording.edge(claim.value)}{wording.unit(judging.unit(claim.term))}"
        if not claim.of_every_run:
            yield _share(claim, where, said, runs, failed, judging.confidence)
            continue
        yield Finding(
            where=(where,),
            said=f"{named(claim.term)} of {where} is {_in_runs(said, others, runs)}{_beside(failed)}",
            blocks=len(blocks),
            figure=Figure("share", len(others) / len(blocks), 0.0, runs.most),
            plain="refuted" if others else "supported",
            runs=runs,
            doubts=("failed-run",) if failed else (),
        )


def _share(
    claim: EveryRunClaim, where: Place, said: str, runs: RunsAgree, failed: int, confidence: float
) -> Finding:
    """Returns the finding about a share of all runs, of which those that were done are a sample."""
    holding = runs.runs - runs.otherwise
    low, high = share_interval(holding, runs.runs, confidence)
    interval = f"{wording.figure(100 * low)} to {wording.figure(100 * high)} % of all runs"
    return Finding(
        where=(where,),
        said=f"{named(claim.term)} of {where} is {said} in {holding} of {counted(runs.runs, 'run')}"
        f" ({100 * confidence:g} % interval {interval}){_not_among(failed)}",
        blocks=runs.runs,
        figure=Figure("share", holding / runs.runs, low, high),
        asserts=InShare(holding, runs.runs, claim.percent / 100),
        doubts=("failed-run",) if failed else (),
    )


def _not_among(failed: int) -> str:
    return f", {counted(failed, 'failed run')} not among them" if failed else ""


def _in_runs(said: str, others: Mapping[int, float], runs: RunsAgree) -> str:
    """Returns the sentence: "0 in every one of 6 runs; at 95 % confidence at most …", "not 0 in 1 of 6 runs
    (2 in block 3).".
    """
    if others:
        shown = ", ".join(
            f"{wording.edge(other)} in block {block}" for block, other in list(others.items())[:3]
        )
        more = ", …" if len(others) > 3 else ""
        return f"not {said} in {runs.otherwise} of {counted(runs.runs, 'run')} ({shown}{more})."
    which = "the only run" if runs.runs == 1 else f"every one of {runs.runs} runs"
    return f"{said} in {which}; {wording.bound(runs)}"


def _beside(failed: int) -> str:
    """Returns a sentence with the number of failed runs, which count neither for the claim nor against it."""
    if not failed:
        return ""
    return f" {counted(failed, 'run')} failed and {'is' if failed == 1 else 'are'} not among them."
