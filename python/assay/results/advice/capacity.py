"""Computes innodb_io_capacity and innodb_io_capacity_max for a disk that sustains a number of pages a
second.
"""

from __future__ import annotations

LEAST = 100
"""The smallest innodb_io_capacity that servers take."""


def io_capacity(pages_per_s: float) -> tuple[int, int]:
    """Returns innodb_io_capacity and innodb_io_capacity_max: half of what the disk sustains, and all of it.

    Half is left to reads and the log. Both are rounded down to two digits.
    """
    most = rounded(pages_per_s)
    half = rounded(max(most / 2, LEAST))
    return half, max(most, half)


def rounded(value: float) -> int:
    """Returns a number rounded down to two significant digits."""
    step = 10 ** max(len(str(int(value))) - 2, 0)
    return int(value // step * step)
