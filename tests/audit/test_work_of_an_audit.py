"""The work of an audit grows with the figures, and not with their square."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.results.audit import audit

LEAST_ROWS, TIMES = 150, 4


def one_long_ladder(chance: random.Random, rows: int) -> str:
    lines = [f"{n},{chance.uniform(10, 9000):.2f},{chance.uniform(1, 500):.3f}" for n in range(1, rows + 1)]
    return "\n".join(["threads,tps,latency_avg", *lines])


def many_short_series(chance: random.Random, rows: int) -> str:
    lines = [
        f"v{n // 5},{2 ** (n % 5)},{chance.uniform(10, 9000):.2f},{chance.uniform(1, 500):.3f}"
        for n in range(rows)
    ]
    return "\n".join(["variant,threads,tps,latency_avg", *lines])


def samples_without_load(chance: random.Random, rows: int) -> str:
    lines = [f"{n},{chance.uniform(200, 400):.2f},{chance.uniform(200, 300):.2f}" for n in range(rows)]
    return "\n".join(["sample,read_iops,write_iops", *lines])


def _work(path: Path) -> int:
    """Returns the number of calls that an audit makes, of Python's functions and of built-in ones."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        audit([path])
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("make", [one_long_ladder, many_short_series, samples_without_load])
def test_four_times_the_rows_are_little_more_than_four_times_the_work(
    make: Callable[[random.Random, int], str], tmp_path: Path
) -> None:
    path = tmp_path / "random.csv"
    works = []
    for rows in (LEAST_ROWS, LEAST_ROWS, TIMES * LEAST_ROWS):  # the first one fills caches
        path.write_text(make(random.Random(rows), rows))
        works.append(_work(path))
    assert works[2] < 1.6 * TIMES * works[1], works
