"""Reads and writes lists of processors and of NUMA nodes in the kernel's form (cpuset(7), "List format")."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MOST = 65_535  # far above what the kernel counts to


def parse_numbers(text: str) -> frozenset[int]:
    """Returns the numbers of a list: `0-3,8` gives 0, 1, 2, 3, 8. Raises ValueError for other text."""
    numbers: set[int] = set()
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if high < low or high > _MOST:
            raise ValueError(text)
        numbers.update(range(low, high + 1))
    return frozenset(numbers)


def number_list(numbers: Iterable[int]) -> str:
    """Returns the numbers as a list with ranges: `0-3,8`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
