"""Doubts that are found in several places: their limits are the same everywhere, in both languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from assay import doubt_limits
from assay.stats import littles_law

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "crates/engine/src/say/doubts"
NUMBERS = re.compile(r"const (\w+): (?:f64|u64) = ([\d._]+);")


@pytest.mark.parametrize(
    ("file", "constant", "limit"),
    [
        ("littles_law", "LIMIT", doubt_limits.LITTLES_LAW),
        ("starved", "LIMIT", doubt_limits.STARVED),
        ("starved", "FROM", doubt_limits.STARVED_FROM),
        ("generator_busy", "LIMIT", doubt_limits.GENERATOR_BUSY),
        ("late_pacing", "LIMIT_NS", doubt_limits.LATE_PACING_MS * 1e6),
        ("conservation", "LIMIT", doubt_limits.UNCONSERVED),
        ("conservation", "AROUND", doubt_limits.AROUND),
        ("conservation", "SAMPLES_PER_SECOND", doubt_limits.SAMPLES_PER_SECOND),
    ],
)
def test_the_engine_has_the_same_limits(file: str, constant: str, limit: float) -> None:
    numbers = dict(NUMBERS.findall((ENGINE / f"{file}.rs").read_text(encoding="utf-8")))
    assert float(numbers[constant].replace("_", "")) == limit


def test_no_room_has_limits_of_its_own_for_them() -> None:
    """The files that look for these doubts assign no constant with the name of a limit."""
    files = [
        *(ROOT / "python/assay/verdict/doubts").glob("[gl]*.py"),
        ROOT / "python/assay/fleet/doubts.py",
        ROOT / "python/assay/live/provisional.py",
        ROOT / "python/assay/calibration/record.py",
    ]
    words = re.compile(r"LITTLE|STARVED|BUSY|NEAR|OF_ITS_THREADS|LATE_MS|ENOUGH$")
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign):
                named = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
                assert not [name for name in named if words.search(name)], file


@pytest.mark.parametrize(
    ("per_second", "mean_ms", "think_ms", "is_broken"),
    [
        (800.0, 10.0, 0.0, False),
        (800.0, 6.0, 0.0, True),
        (79.0, 1.0, 100.0, False),  # 8 connections that think for 100 ms
        (40.0, 1.0, 100.0, True),
    ],
)
def test_littles_law_knows_pauses(
    per_second: float, mean_ms: float, think_ms: float, is_broken: bool
) -> None:
    law = littles_law(8, per_second, mean_ms / 1e3, think_s=think_ms / 1e3, longest_s=0.02, elapsed_s=30.0)
    assert law.is_broken is is_broken
