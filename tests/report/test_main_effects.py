"""What a factor does by itself, out of a factorial study with planted truths."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.study import Factor
from assay.reporting.report.material import Material
from assay.reporting.report.tables import effects
from assay.reporting.report.tables.model import Ratio
from assay.results.verdict.results import DoubtNote, Estimate
from synthetic import make_material

A, B = "server.variables.a", "server.variables.b"
TRUTH = {("1", "1"): 100.0, ("2", "1"): 200.0, ("1", "2"): 110.0, ("2", "2"): 165.0}
LUCK = (0.98, 1.0, 1.01, 1.03, 0.99, 1.02)  # of each block, the same for all of its treatments


def factorial(path: Path, kind: str = "factorial") -> Material:
    """Doubling `a` doubles throughput where `b` is 1, and makes it half as much again where `b` is 2."""
    made = make_material(path, treatments=1, loads=(8,), blocks=6)
    made.store.execute("delete from levels")
    names, estimates = [], []
    for (a, b), tps in TRUTH.items():
        name = f"a={a}, b={b}"
        names.append(name)
        made.store.execute("insert into levels values (?, ?, ?), (?, ?, ?)", [name, A, a, name, B, b])
        blocks = tuple((block, tps * luck) for block, luck in enumerate(LUCK, start=1))
        estimates.append(Estimate(name, 8, "tps", "1/s", tps, None, None, blocks))
    factors = tuple(Factor(name=name, levels=(1, 2)) for name in (A, B))
    design = made.study.design.model_copy(update={"kind": kind})
    study = made.study.model_copy(update={"factors": factors, "design": design})
    results = replace(made.results, treatments=tuple(names), estimates=tuple(estimates))
    return replace(made, study=study, results=results)


def test_a_level_is_compared_over_all_combinations_of_the_others(tmp_path: Path) -> None:
    (table,) = effects.tables(factorial(tmp_path))
    (of_a, of_b) = table.rows
    assert of_a[1:5] == (8, "a", "2", "1")
    ratio = of_a[5]
    assert isinstance(ratio, Ratio)
    assert ratio.value == pytest.approx((2.0 * 1.5) ** 0.5)
    assert ratio.word == "better"
    assert of_a[6:] == (pytest.approx(1.5), pytest.approx(2.0), 2, 6)
    assert isinstance(of_b[5], Ratio)
    assert of_b[5].value == pytest.approx((1.1 * 165 / 200) ** 0.5)


def test_one_factor_at_a_time_has_no_main_effects(tmp_path: Path) -> None:
    assert not effects.tables(factorial(tmp_path, "one-at-a-time"))
    assert not effects.tables(make_material(tmp_path / "one", loads=(8,), blocks=2))


def test_an_invalid_study_has_effects_and_no_words(tmp_path: Path) -> None:
    made = factorial(tmp_path)
    note = DoubtNote("debug-build", "slow", None, None, "invalid")
    (table,) = effects.tables(replace(made, results=replace(made.results, doubts=(note,))))
    ratios = [cell for row in table.rows for cell in row if isinstance(cell, Ratio)]
    assert [one.word for one in ratios] == ["estimate-only", "estimate-only"]
