"""Folders recorded by an engine of the past give the numbers that they gave then."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
from assay.design.folder import Hello, RunResult, read_events
from recorded_results import NAMES, expected, numbers_of, unpack


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_folder_gives_the_numbers_it_gave(name: str, tmp_path: Path) -> None:
    found, wanted = numbers_of(unpack(name, tmp_path)), expected(name)

    assert [table for table in found if table in wanted] == list(wanted)
    differences = [
        f"{table}, line {number}: {now}, and was {then}"
        for table, rows in wanted.items()
        for number, (then, now) in enumerate(itertools.zip_longest(rows, found[table], fillvalue=[]), 1)
        if not is_same(then, now)
    ]
    assert differences == []


def test_a_changed_number_is_a_difference() -> None:
    assert is_same(["tps", "1234.5", "a text"], ["tps", "1234.5000000000002", "a text"])
    assert not is_same(["tps", "1234.5"], ["tps", "1234.6"])
    assert not is_same(["tps", "1"], ["qps", "1"])
    assert not is_same(["tps", "1"], ["tps"])


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_event_is_read(name: str, tmp_path: Path) -> None:
    files = list(unpack(name, tmp_path).runs.glob("*/rungs/*/events.jsonl"))
    assert files
    for file in files:
        events = list(read_events(file))
        assert len(events) == len(file.read_text().splitlines())
        assert isinstance(events[0], Hello)
        assert isinstance(events[-1], RunResult)


def is_same(then: list[str], now: list[str]) -> bool:
    """Texts to the letter; numbers to what a library of another version rounds in another way."""
    return len(then) == len(now) and all(map(_is_same_cell, then, now))


def _is_same_cell(then: str, now: str) -> bool:
    try:
        return then == now or math.isclose(float(then), float(now), rel_tol=1e-9, abs_tol=1e-12)
    except ValueError:
        return False
