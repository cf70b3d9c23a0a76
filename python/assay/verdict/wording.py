"""Sentences with the figures in them. English only: the report has the figures for other languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.stats.intervals import Interval
from assay.stats.paired import PairedRatio
from assay.verdict.decision import Outcome
from assay.verdict.observations import Place
from assay.verdict.question import Question
from assay.verdict.results import RunsAgree
from assay.wording import counted


def figure(value: float) -> str:
    """Four significant digits, without exponents where people would not write them."""
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if size >= 100:
        return f"{value:.1f}"
    if size >= 10:
        return f"{value:.2f}"
    if size >= 0.1 or size == 0:
        return f"{value:.3f}"
    return f"{value:.3g}"


def ratio(measures: tuple[str, str], one: Place, other: Place, found: PairedRatio, confidence: float) -> str:
    """ "tps of A is 1.420 times that of B at 8 threads (95 % interval 1.350 to 1.490, 6 blocks)".

    "degraded_per_s of A is 0.570 times healthy_per_s of A at 8 threads" where the measures are two.
    """
    left, right = _both(one, other)
    measure, others = measures[0], "that" if measures[0] == measures[1] else measures[1]
    if right != other.at or others != "that":
        right = f"of {right}"
    times = figure(found.ratio)
    return f"{measure} of {left} is {times} times {others} {right}{_spread(found, confidence)}"


def level(measure: str, unit: str, where: Place, found: Interval, confidence: float) -> str:
    """ "p95_ms of A at 8 threads is 12.30 ms (95 % interval 12.10 to 12.50, 6 blocks)"."""
    return f"{measure} of {where} is {figure(found.value)}{_unit(unit)}{_spread(found, confidence)}"


_SIDES = {"=": "", ">": "above ", "<": "below ", ">=": "at least ", "<=": "at most "}


def every_run(
    measure: str,
    unit: str,
    where: Place,
    relation: str,
    value: float,
    others: Mapping[int, float],
    runs: RunsAgree,
) -> str:
    """ "lost_commits of A at 8 threads is 0 in every one of 6 runs; at 95 % confidence at most …"."""
    said = f"{_SIDES[relation]}{_edge(value)}{_unit(unit)}"
    if others:
        shown = ", ".join(f"{_edge(other)} in block {block}" for block, other in list(others.items())[:3])
        more = ", …" if len(others) > 3 else ""
        return (
            f"{measure} of {where} is not {said} in {runs.otherwise} of {_runs(runs.runs)} ({shown}{more})."
        )
    which = "the only run" if runs.runs == 1 else f"every one of {runs.runs} runs"
    return f"{measure} of {where} is {said} in {which}; {bound(runs)}"


def bound(runs: RunsAgree) -> str:
    """ "at 95 % confidence at most 39 % of runs are otherwise."."""
    return f"at {runs.confidence * 100:g} % confidence at most {runs.most_percent} % of runs are otherwise."


def not_among_them(failed: int) -> str:
    """Failed runs say nothing about what must hold in every run, neither for it nor against it."""
    return f" {_runs(failed)} failed and {'is' if failed == 1 else 'are'} not among them."


def two_levels(
    measures: tuple[str, str], unit: str, one: Place, other: Place, left: float, right: float, blocks: int
) -> str:
    """For values with zeros among them, which have no ratio."""
    first, second = _both(one, other)
    others = "" if measures[0] == measures[1] else f"{measures[1]} is "
    return (
        f"{measures[0]} is {figure(left)}{_unit(unit)} with {first}"
        f" and {others}{figure(right)}{_unit(unit)} with {second}"
        f" (mean of {_blocks(blocks)}; some values are zero or negative, so there is no ratio)"
    )


def not_measured(measures: Sequence[str], one: Place, other: Place | None = None) -> str:
    """Nothing to judge with."""
    measure = " or ".join(dict.fromkeys(measures))
    if other is None:
        return f"{measure} of {one} was not measured."
    left, right = _both(one, other)
    return f"{measure} of {left} and {right} was not measured in any common block."


def because(outcome: Outcome, question: Question) -> str:
    """Why the figures give this outcome."""
    edges = [_edge(edge) for edge, _ in question.edges]
    if question.relation == "~":
        region = f"{edges[0]} to {edges[1]}"
        match outcome:
            case "supported":
                return f"; the whole interval lies within {region}."
            case "refuted":
                return f"; the whole interval lies outside {region}."
            case "undecided":
                return f"; the interval reaches across an edge of {region}."
    side, opposite = ("above", "below") if question.relation.startswith(">") else ("below", "above")
    match outcome:
        case "supported":
            return f"; the whole interval lies {side} {edges[0]}."
        case "refuted":
            return f"; none of the interval lies {side} {edges[0]}."
        case "undecided":
            return f"; the interval reaches from {opposite} to {side} {edges[0]}."


def one_of_many(question: Question, parts: int) -> str:
    """Refuted if it stood alone; among so many parts one may lie there by luck."""
    alone = because("refuted", question).removesuffix(".")
    return f"{alone}, but among {parts} points one may by chance: it is not sure enough to refute the claim."


def too_few(blocks: int, fewest: int) -> str:
    """An estimate without a verdict."""
    return f"; an estimate only: a verdict needs at least {fewest} blocks."


def left_out(count: int, kinds: Sequence[str]) -> str:
    """Values that an *invalid* doubt has taken away."""
    what = "value is" if count == 1 else "values are"
    return f" {count} {what} left out, being invalid: {', '.join(kinds)}."


def barred(kinds: Sequence[str]) -> str:
    """The whole study is under an *invalid* doubt."""
    return f" Nothing is judged: the study is invalid ({', '.join(kinds)})."


def _both(one: Place, other: Place) -> tuple[str, str]:
    """Names of two places; the load is said once where it is the same, the treatment where that is."""
    if one.load == other.load:
        return one.treatment, str(other)
    return str(one), other.at if one.treatment == other.treatment else str(other)


def _edge(value: float) -> str:
    """A claim's own figure as it was written; an edge of a region with four digits."""
    written = f"{value:g}"
    if "e" in written:
        return figure(value)
    return written if len(written) <= 6 else f"{value:.4g}"


def _spread(found: PairedRatio | Interval, confidence: float) -> str:
    if found.low is None or found.high is None:
        return f" ({_blocks(found.n)})"
    percent = f"{confidence * 100:g} %"
    return f" ({percent} interval {figure(found.low)} to {figure(found.high)}, {_blocks(found.n)})"


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _blocks(count: int) -> str:
    return counted(count, "block")


def _runs(count: int) -> str:
    return counted(count, "run")
