"""Result tables, pasted or as CSV: a result for each row and series."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.experiments.adopt import bring_in
from assay.experiments.lab import figures_of

WIDE = """\
| threads | tps deadline | tps noop | p95 latency (s) deadline | p95 latency (s) noop |
|---|---|---|---|---|
| 8 | 101.5 | 99.0 | 0.012 | 0.013 |
| 16 | 180 | 1,82 | 0.020 | 0.021 |
| 32 | 300.25 | 301 | 0.044 | 0.046 |
""".replace("1,82", "182")
CSV = "threads,tps,qps\n8,100.01,1800.18\n16,180.02,3240.36\n32,300.03,5400.54\n"


def test_a_pasted_table_becomes_a_treatment_for_each_series(tmp_path: Path) -> None:
    file = tmp_path / "pasted.md"
    file.write_text(WIDE)
    with pytest.raises(InputError, match="its series is noop, not deadline") as raised:
        bring_in([file], tmp_path / "results")
    assert raised.value.hint == "take it as a factor: --factor series"
    added = bring_in([file], tmp_path / "results", ["series"])
    assert len(added.runs) == 6
    with figures_of(ResultsFolder(tmp_path / "results")) as found:
        known = {(e.treatment, e.load, e.measure): e.value for e in found.results.estimates}
    assert known["series=deadline", 8.0, "tps"] == 101.5
    assert known["series=noop", 16.0, "tps"] == 182
    assert known["series=deadline", 32.0, "p95_ms"] == pytest.approx(44)
    assert {load for _, load, _ in known} == {8.0, 16.0, 32.0}


def test_a_csv_file_keeps_its_digits(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(CSV)
    bring_in([file], tmp_path / "results")
    with figures_of(ResultsFolder(tmp_path / "results")) as found:
        known = {(e.load, e.measure): (e.value, e.low) for e in found.results.estimates}
    assert known[16.0, "qps"] == (3240.36, None)
    rows = found.study
    assert rows.load.threads == (8, 16, 32)


def test_a_table_by_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(CSV.replace("threads", "sample"))
    with pytest.raises(InputError, match="expected a table by threads, rate or iodepth, found one by sample"):
        bring_in([file], tmp_path / "results")
