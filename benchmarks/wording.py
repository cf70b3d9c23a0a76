"""Formats figures and marks as text."""

from __future__ import annotations

from assay.base.wording import counted

from benchmarks.rows import Check, Row
from benchmarks.spread import ENOUGH, Sense, Spread, State, Target

MARKS = {State.REACHED: "ok", State.WITHIN_NOISE: "~", State.INCONCLUSIVE: "?", State.SHORT: "SHORT"}
_PLACES = {
    State.REACHED: "all of the interval lies inside",
    State.SHORT: "all of the interval lies outside",
    State.INCONCLUSIVE: "inconclusive, the interval is too wide to tell",
}

_VERDICTS = {
    State.REACHED: "met",
    State.WITHIN_NOISE: "met within noise",
    State.INCONCLUSIVE: "too wide to tell",
    State.SHORT: "not met",
}


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
    if check.target is not None and check.target.sense is Sense.WITHIN:
        return _placed(check.what, check.value, check.target, check.state)
    value = f"{figure(check.value.median)} {check.what}"
    if check.value.count > 1:
        value += f" ({figure(check.value.low)} to {figure(check.value.high)})"
    if check.target is not None:
        value += f", {check.target.sense.value} {figure(check.target.limit)}"
    return value


def verdicts(row: Row) -> list[str]:
    """Returns a line for each target of a row: figure, interval, target, and whether it is met."""
    return [
        f"{_VERDICTS[check.state] if check.value else 'not measured'}: {row.cell}: {checked(check)}"
        for check in row.checks
        if check.state is not None
    ]


def _placed(what: str, value: Spread, target: Target, state: State | None) -> str:
    """Returns a ratio with its interval, the number of pairs, and where the interval lies. It is near 1, so
    it has three decimals.
    """
    place = "" if state is None else _PLACES[state]
    if value.count < ENOUGH:
        place = f"inconclusive, fewer than {ENOUGH} pairs"
    return (
        f"{value.median:.3f} {what} ({value.low:.3f} to {value.high:.3f}, {counted(value.count, 'pair')}),"
        f" within {target.limit:.2f} to {target.high:.2f}: {place}"
    )


def mark(state: State | None) -> str:
    """Returns the mark of a state; empty without a target."""
    return "" if state is None else MARKS[state]
