"""A time ledger that names less than it should raises a doubt."""

from __future__ import annotations

import duckdb
import pytest
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import load_words
from assay.results.verdict.doubts.unnamed_time import unnamed_time


@pytest.mark.parametrize(("unnamed", "doubted"), [(40.0, False), (60.0, True), (-60.0, True), (None, False)])
def test_the_median_run_decides(unnamed: float | None, doubted: bool) -> None:
    store = duckdb.connect()
    store.execute(
        "CREATE TABLE ledger_lines"
        ' (run_id TEXT, treatment TEXT, load DOUBLE, ledger TEXT, "group" TEXT, amount DOUBLE)'
    )
    for run, share in enumerate((unnamed, unnamed, 900.0)):
        groups = {"commit": 1000.0 - (share or 0.0)} | ({} if share is None else {"unnamed": share})
        for group, amount in groups.items():
            store.execute(
                "INSERT INTO ledger_lines VALUES (?, 'a', 8, 'time', ?, ?)", [str(run), group, amount]
            )
    store.execute("INSERT INTO ledger_lines VALUES ('0', 'a', 8, 'cpu', 'unnamed', 5000)")
    found = list(unnamed_time(store))
    assert [(note.kind, note.load) for note in found] == ([("unnamed-time", 8.0)] if doubted else [])
    for note in found:
        said = explain_doubt(load_words("zh"), note)
        assert "6%" in said or "6 %" in said
