"""The work of an audit grows with the figures, and not with their square."""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.errors import InputError
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


@pytest.mark.parametrize(
    "text",
    [
        "[" * 300_000,
        " " * 300_000 + "x",
        "a is " * 60_000,
        "peaks at 8 threads " * 20_000,
        "increased by " * 30_000,
        "快比" * 100_000,
        "a is faster\n" * 20_000,
        "a rises at 8 threads.\n" * 10_000,
        "| a is 3 " * 30_000,
    ],
    ids=lambda text: f"{text[:12]!r}",
)
def test_a_text_of_one_thing_is_read_to_its_end(text: str, tmp_path: Path) -> None:
    (tmp_path / "odd.md").write_text(text, encoding="utf-8")

    def give_up(*_: object) -> None:
        raise AssertionError("its time grows by the square of its length")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)  # it takes one second
    try:
        with pytest.raises(InputError, match="holds no table"):
            audit([tmp_path / "odd.md"])
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
