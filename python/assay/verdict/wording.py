"""Sentences with the figures in them. English only: the report has the figures for other languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from assay.stats.paired import PairedRatio
from assay.verdict.decision import Outcome, Question
from assay.verdict.observations import Place
from assay.verdict.results import Part


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


def level(measure: str, unit: str, where: Place, found: PairedRatio, confidence: float) -> str:
    """ "p95_ms of A at 8 threads is 12.30 ms (95 % interval 12.10 to 12.50, 6 blocks)"."""
    return f"{measure} of {where} is {figure(found.ratio)}{_unit(unit)}{_spread(found, confidence)}"


def two_levels(
    measures: tuple[str, str], unit: str, one: Place, other: Place, left: float, right: float, blocks: int
) -> str:
    """For values with zeros among them, which have no ratio."""
    first, second = _both(one, other)
    others = "" if measures[0] == measures[1] else f"{measures[1]} is "
    return (
        f"{measures[0]} is {figure(left)}{_unit(unit)} with {first}"
        f" and {others}{figure(right)}{_unit(unit)} with {second}"
        f" (mean of {_blocks(blocks)}; some values are zero, so there is no ratio)"
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
    edge = question.edge
    if question.relation == "~":
        region = f"{edge.low:g} to {edge.high:g}"
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
            return f"; the whole interval lies {side} {edge.low:g}."
        case "refuted":
            return f"; none of the interval lies {side} {edge.low:g}."
        case "undecided":
            return f"; the interval reaches from {opposite} to {side} {edge.low:g}."


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


def more(blocks: int | None) -> str:
    """What would settle it."""
    if blocks is None:
        return (
            " More blocks are unlikely to settle it:"
            " the effect is too close to the margin for this much noise."
        )
    return f" About {blocks} more {'block' if blocks == 1 else 'blocks'} would probably settle it."


def summary(outcome: Outcome, parts: Sequence[Part]) -> str:
    """The whole claim in one line: the part that decides it, or how the parts divide."""
    if not parts:
        return "No run matches the claim."
    if len(parts) == 1:
        return parts[0].explanation
    if outcome == "supported":
        values = [part.ratio for part in parts if part.ratio is not None]
        noun = "ratios " if any(len(part.treatments) > 1 for part in parts) else ""
        reach = f" ({noun}{figure(min(values))} to {figure(max(values))})" if values else ""
        return f"Supported {_everywhere(parts)}{reach}."
    counts = Counter(part.outcome for part in parts)
    divided = ", ".join(f"{counts[word]} {word}" for word in get_args(Outcome) if counts[word])
    first = next(part for part in parts if part.outcome == outcome)
    if len(counts) == 1:
        return f"{outcome.capitalize()} {_everywhere(parts)}. {first.explanation}"
    return f"{len(parts)} {_what(parts)}: {divided}. {first.explanation}"


def _everywhere(parts: Sequence[Part]) -> str:
    """ "at both load points", "for all 6 combinations of treatments and load"."""
    preposition = "at" if len({part.treatments for part in parts}) == 1 else "for"
    return f"{preposition} {'both' if len(parts) == 2 else f'all {len(parts)}'} {_what(parts)}"


def _what(parts: Sequence[Part]) -> str:
    """By what the parts differ."""
    if len({part.treatments for part in parts}) == 1:
        return "load points"
    if len({part.load for part in parts}) > 1:
        return "combinations of treatments and load"
    return "pairs of treatments" if any(len(part.treatments) > 1 for part in parts) else "treatments"


def _both(one: Place, other: Place) -> tuple[str, str]:
    """Names of two places; the load is said once where it is the same, the treatment where that is."""
    if one.load == other.load:
        return one.treatment, str(other)
    return str(one), other.at if one.treatment == other.treatment else str(other)


def _spread(found: PairedRatio, confidence: float) -> str:
    if found.low is None or found.high is None:
        return f" ({_blocks(found.n)})"
    percent = f"{confidence * 100:g} %"
    return f" ({percent} interval {figure(found.low)} to {figure(found.high)}, {_blocks(found.n)})"


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _blocks(count: int) -> str:
    return f"{count} block" if count == 1 else f"{count} blocks"
