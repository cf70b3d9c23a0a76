"""Sentences with the figures in them. English only: the report has the figures for other languages."""

from __future__ import annotations

from collections.abc import Sequence

from assay.stats.paired import PairedRatio
from assay.verdict.decision import Outcome, Question
from assay.verdict.results import Part

Place = tuple[str, float]  # treatment, load


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


def ratio(measure: str, one: Place, other: Place, found: PairedRatio, confidence: float) -> str:
    """ "tps of A is 1.420 times that of B at 8 (95 % interval 1.350 to 1.490, 6 blocks)"."""
    left, right = _both(one, other)
    return f"{measure} of {left} is {figure(found.ratio)} times that of {right}{_spread(found, confidence)}"


def level(measure: str, unit: str, where: Place, found: PairedRatio, confidence: float) -> str:
    """ "p95_ms of A at 8 is 12.30 ms (95 % interval 12.10 to 12.50, 6 blocks)"."""
    return f"{measure} of {_at(where)} is {figure(found.ratio)}{_unit(unit)}{_spread(found, confidence)}"


def two_levels(
    measure: str, unit: str, one: Place, other: Place, left: float, right: float, blocks: int
) -> str:
    """For values with zeros among them, which have no ratio."""
    first, second = _both(one, other)
    return (
        f"{measure} is {figure(left)}{_unit(unit)} with {first} and {figure(right)}{_unit(unit)} with {second}"
        f" (mean of {_blocks(blocks)}; some values are zero, so there is no ratio)"
    )


def not_measured(measure: str, one: Place, other: Place | None = None) -> str:
    """Nothing to judge with."""
    if other is None:
        return f"{measure} of {_at(one)} was not measured."
    left, right = _both(one, other)
    return f"{measure} of {left} and {right} was not measured in any common block."


def because(outcome: Outcome, question: Question) -> str:
    """Why the figures give this outcome."""
    edge = question.edge
    if question.relation == "~":
        region = f"{figure(edge.low)} to {figure(edge.high)}"
        match outcome:
            case "supported":
                return f": all of it lies within {region}."
            case "refuted":
                return f": all of it lies outside {region}."
            case "undecided":
                return f": it reaches across an edge of {region}."
    side, opposite = ("above", "below") if question.relation.startswith(">") else ("below", "above")
    match outcome:
        case "supported":
            return f": all of it lies {side} {figure(edge.low)}."
        case "refuted":
            return f": none of it lies {side} {figure(edge.low)}."
        case "undecided":
            return f": it reaches from {opposite} to {side} {figure(edge.low)}."


def too_few(blocks: int, fewest: int) -> str:
    """An estimate without a verdict."""
    return f": an estimate only, a verdict needs at least {fewest} blocks."


def more(blocks: int | None) -> str:
    """What would settle it."""
    if blocks is None:
        return " More blocks would hardly settle it: the truth is too near the edge for this much noise."
    return f" About {blocks} more {'block' if blocks == 1 else 'blocks'} would probably settle it."


def summary(outcome: Outcome, parts: Sequence[Part]) -> str:
    """The whole claim in one line: the part that decides it, or how the parts divide."""
    if not parts:
        return "No run matches the claim."
    if len(parts) == 1:
        return parts[0].explanation
    counts = {
        word: sum(part.outcome == word for part in parts) for word in ("supported", "refuted", "undecided")
    }
    divided = ", ".join(f"{word} at {count}" for word, count in counts.items() if count)
    if outcome == "supported":
        return f"Supported at all {len(parts)} points."
    first = next(part for part in parts if part.outcome == outcome)
    return f"Of {len(parts)} points: {divided}. {first.explanation}"


def _at(where: Place) -> str:
    return f"{where[0]} at {where[1]:g}"


def _both(one: Place, other: Place) -> tuple[str, str]:
    """Names of two places; the load is said once where it is the same, the treatment where that is."""
    if one[1] == other[1]:
        return one[0], _at(other)
    return _at(one), f"at {other[1]:g}" if one[0] == other[0] else _at(other)


def _spread(found: PairedRatio, confidence: float) -> str:
    if found.low is None or found.high is None:
        return f" ({_blocks(found.n)})"
    percent = f"{confidence * 100:g} %"
    return f" ({percent} interval {figure(found.low)} to {figure(found.high)}, {_blocks(found.n)})"


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _blocks(count: int) -> str:
    return f"{count} block" if count == 1 else f"{count} blocks"
