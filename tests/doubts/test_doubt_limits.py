"""Doubts that the engine says itself, too: their limits are the same in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.doubts import conservation, generator_busy, late_pacing, littles_law, starved

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "crates/engine/src/say/doubts"
NUMBERS = re.compile(r"const (\w+): (?:f64|u64) = ([\d._]+);")


@pytest.mark.parametrize(
    ("file", "constant", "limit"),
    [
        ("littles_law", "LIMIT", littles_law.LIMIT),
        ("starved", "LIMIT", starved.LIMIT),
        ("starved", "FROM", starved.FROM),
        ("generator_busy", "LIMIT", generator_busy.LIMIT),
        ("late_pacing", "LIMIT_NS", late_pacing.LIMIT * 1e6),
        ("conservation", "LIMIT", conservation.LIMIT),
        ("conservation", "AROUND", conservation.AROUND),
        ("conservation", "SAMPLES_PER_SECOND", conservation.SAMPLES_PER_SECOND),
    ],
)
def test_the_engine_has_the_same_limits(file: str, constant: str, limit: float) -> None:
    numbers = dict(NUMBERS.findall((ENGINE / f"{file}.rs").read_text(encoding="utf-8")))
    assert float(numbers[constant].replace("_", "")) == limit


def test_every_number_of_a_doubt_that_both_have_is_compared() -> None:
    """A constant that one side gains is missing on the other."""
    for name in ("littles_law", "starved", "generator_busy", "conservation"):
        engine = {one for one, _ in NUMBERS.findall((ENGINE / f"{name}.rs").read_text(encoding="utf-8"))}
        here = (ROOT / f"python/assay/doubts/{name}.py").read_text(encoding="utf-8")
        assert engine == set(re.findall(r"^([A-Z_]+) = ", here, re.MULTILINE)), name


@pytest.mark.parametrize(
    "kind", ["littles-law", "generator-busy", "starved-", "conservation", "near-ceiling"]
)
def test_one_file_makes_each_doubt_in_python(kind: str) -> None:
    """No other file of the package names the kind where it makes a doubt."""
    made = re.compile(rf"""(?:kind=|yield |note\(\s*)f?"{kind}""")
    files = (ROOT / "python/assay").rglob("*.py")
    found = [path.name for path in files if made.search(path.read_text(encoding="utf-8"))]
    assert len(found) == 1, found
    assert (ROOT / "python/assay/doubts" / found[0]).is_file()
