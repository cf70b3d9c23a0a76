"""One rule for ranks, and no percentile of percentiles, over all code that computes figures."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.base.tally import ranked
from assay.results.store.tables import TABLES
from assay.results.verdict import courses

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "python/assay").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
QUARTILES = {ROOT / "python/assay/reporting/report/records/spread.py"}
"""A box of values over blocks: no percentiles of operations."""
STATS = ROOT / "python/assay/results/stats"
"""Intervals of estimates, by simulation: no percentiles of operations either."""
_PERCENTILE = re.compile(r"^(p\d\d(_\d)?(_ms|s)?|\w*_p\d\d\w*|percentiles?|quantile_ms)$")
_SUSPECT = re.compile(
    r"\d\.\d+ \*|\* \d?\.\d|avg\(|(np|numpy|statistics)\.(percentile|quantile)|mean\(|average\("
)
"""What every offence has in its text: parsing all files would take seconds."""
_IN_SQL = re.compile(r"\b(avg|mean)\((\w+\.)?p\d\d", re.IGNORECASE)
_MEANS = {"mean", "fmean", "average", "nanmean"}
"""The median over repetitions of a whole measurement is none of them."""


def names_in(call: ast.Call) -> Iterator[str]:
    for argument in call.args:
        for one in ast.walk(argument):
            name = getattr(one, "attr", None) or getattr(one, "id", None)
            if name is not None:
                yield name


def offences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Store):
            shares = [
                one
                for inner in ast.walk(node.slice)
                if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult)
                for one in ast.walk(inner)
                if isinstance(one, ast.Constant) and isinstance(one.value, float) and 0 < one.value < 1
            ]
            if shares:
                yield node.lineno, "a rank of its own: use assay.base.tally.ranked"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _IN_SQL.search(node.value):
            yield node.lineno, "a mean of percentiles in SQL: merge the histograms"
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in _MEANS and any(map(_PERCENTILE.match, names_in(node))):
                yield node.lineno, "a mean of percentiles: merge the histograms"
            library = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
            of = node.func.value.id if library else ""  # type: ignore[attr-defined]
            if called in ("percentile", "quantile", "quantiles") and of in ("np", "numpy", "statistics"):
                yield node.lineno, "a rank rule of a library: use assay.base.tally"


def test_no_code_ranks_by_a_rule_of_its_own_or_averages_percentiles() -> None:
    found = []
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        if _SUSPECT.search(text) and not path.is_relative_to(STATS) and path not in QUARTILES:
            found += [f"{path.relative_to(ROOT)}:{line}: {why}" for line, why in offences(ast.parse(text))]
    assert not found


@pytest.mark.parametrize(
    "code",
    [
        "steady[min(len(steady) - 1, int(0.95 * len(steady)))]",
        "sorted(costs)[int((len(costs) - 1) * 0.9)]",
        "np.percentile(times, 99)",
        "fmean(one.p95_ms for one in seconds)",
        "np.average(p99s, weights=seconds)",
        "store.execute('SELECT avg(p95_ms) FROM intervals')",
    ],
)
def test_what_it_looks_for_it_finds(code: str) -> None:
    assert _SUSPECT.search(code)
    assert list(offences(ast.parse(code)))


def test_every_time_of_an_interval_is_read_by_its_histogram() -> None:
    times = {name for name in TABLES["intervals"] if name.endswith("_ms")}
    assert times == courses._TIMES.keys()
    assert not times & {*courses._COLUMNS}


def test_plain_values_have_the_rank_of_histograms() -> None:
    assert [ranked(range(1, 101), share) for share in (0.01, 0.5, 0.95, 0.999, 1.0)] == [1, 50, 95, 100, 100]
