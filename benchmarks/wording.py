"""Formats figures and marks as text."""

from __future__ import annotations

from benchmarks.rows import Check
from benchmarks.spread import State

MARKS = {State.REACHED: "ok", State.WITHIN_NOISE: "~", State.SHORT: "SHORT"}


def figure(value: float | None) -> str:
    """Formats a figure with three or four digits: 12 345, 123, 12.3, 1.23, 0.012."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    if size >= 100:
        return f"{value:.0f}"
    if size >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if size >= 0.1 else f"{value:.2g}"


def checked(check: Check) -> str:
    """Returns a check in a line: value, its interval, target."""
    if check.value is None:
        return f"not measured {check.what}"
    value = f"{figure(check.value.median)} {check.what}"
    if check.value.count > 1:
        value += f" ({figure(check.value.low)} to {figure(check.value.high)})"
    if check.target is not None:
        value += f", {check.target.sense.value} {figure(check.target.limit)}"
    return value


def mark(state: State | None) -> str:
    """Returns the mark of a state; empty without a target."""
    return "" if state is None else MARKS[state]
