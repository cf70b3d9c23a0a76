"""Formats numbers for tables of times."""

from __future__ import annotations


def milliseconds(value: float | None) -> str:
    """Formats milliseconds with three significant figures: `0.123`, `1.23`, `12.3`, `123`, `1,234`."""
    if value is None:
        return "-"
    for limit, digits in ((1, 3), (10, 2), (100, 1)):
        if value < limit:
            return f"{value:.{digits}f}"
    return f"{value:,.0f}"
