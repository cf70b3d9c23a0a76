"""Doubts that the engine says itself, too: their limits stand in one place."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from assay.base.doubts import RungFigures, Served, Statements, doubts_of
from assay.system.engine import find_engine

from scripts.doubt_limits import FILE, module

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "crates/engine/src/say/doubts"


def test_the_limits_are_those_of_the_engine() -> None:
    """If not: `make schema`."""
    said = subprocess.run([find_engine(), "limits"], capture_output=True, check=True)
    assert FILE.read_text(encoding="utf-8") == module(json.loads(said.stdout))


def test_no_limit_of_a_doubt_that_both_raise_stands_twice() -> None:
    """Neither language has a number of its own in the file of such a doubt."""
    number = re.compile(r"^(?:const )?([A-Z_]+)(?:: \w+)? = [\d._]+;?$", re.MULTILINE)
    for name in ("littles_law", "starved", "generator_busy", "late_pacing", "conservation"):
        for file in (ENGINE / f"{name}.rs", ROOT / f"python/assay/base/doubts/{name}.py"):
            text = file.read_text(encoding="utf-8")
            assert "limits" in text, file
            assert not number.findall(text), file


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
