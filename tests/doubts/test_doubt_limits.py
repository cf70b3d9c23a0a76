"""Doubts that the engine says itself, too: their limits are the same in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.base.doubts import (
    RungFigures,
    Served,
    Statements,
    conservation,
    doubts_of,
    generator_busy,
    late_pacing,
    littles_law,
    starved,
)

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
        here = (ROOT / f"python/assay/base/doubts/{name}.py").read_text(encoding="utf-8")
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
    assert (ROOT / "python/assay/base/doubts" / found[0]).is_file()


def rows() -> list[tuple[str, list[str], str | None]]:
    """The rows of the engine's own table that are about figures that both know: name, numbers, kind."""
    found = []
    for line in (ENGINE / "tests.rs").read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(
            r"\s+\((?:Facts \{ )?(in_flight|served|statements|loops_busy|late_p99_ns)\b(.*?)"
            r"(?:, \.\.facts\(\) \})?, (?:None|Some\(\"([a-z-]+)\"\))\),",
            line,
        )
        if row is not None:
            found.append((row[1], re.findall(r"true|false|[\d_.]+", row[2]), row[3]))
    return found


def figures(name: str, given: list[str]) -> RungFigures | None:
    """The record with a row's numbers; None for a row about edges, which the engine knows by its clocks."""
    numbers = [float(one.replace("_", "")) for one in given if one not in ("true", "false")]
    match name:
        case "in_flight":
            if numbers[1]:
                return None
            return RungFigures(
                elapsed_s=1e9, transactions=1e11, connections=100, fills_connections=True, think_ms=0.0,
                mean_ms=1e3 * numbers[0] / 100,
            )  # fmt: skip
        case "served":
            return RungFigures(served=Served("terminal" if given[0] == "true" else "connection", *numbers))
        case "statements":
            counted, unsure, goodbyes = map(int, numbers)
            return RungFigures(statements=Statements(100_000, counted, unsure, goodbyes, 1.5))
        case "loops_busy":
            busy, loops = numbers
            return RungFigures(elapsed_s=1.0, threads=int(loops), processor_s=busy * loops)
        case _:
            return RungFigures(late_ms=numbers[0] / 1e6)


def test_the_rows_of_the_engine_s_table_have_the_same_outcomes() -> None:
    judged = set()
    for name, given, kind in rows():
        known = figures(name, given)
        if known is not None:
            assert [one.kind for one in doubts_of(known)] == ([] if kind is None else [kind]), (name, given)
            judged.add(name)
    assert judged == {"in_flight", "served", "statements", "loops_busy", "late_p99_ns"}
    assert len(rows()) >= 17
