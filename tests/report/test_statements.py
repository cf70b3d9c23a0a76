"""What a commit costs, and the configuration that it cost that under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.records.distribution import spectrum
from assay.reporting.report.tables import configuration, statements
from assay.reporting.report.tables.model import Figure, Table
from assay.reporting.report.tables.write import to_csv, to_markdown
from assay.reporting.report.words import load_words
from assay.results.verdict.results import DoubtNote
from hdrh.histogram import HdrHistogram
from synthetic import VARIABLE, make_material

ONE, TWO = f"{VARIABLE}=1", f"{VARIABLE}=2"
FACTS = {
    f"variables.{VARIABLE}": {ONE: "1", TWO: "2"},
    f"variable_origins.{VARIABLE}": "CONFIG",
    "variables.innodb_buffer_pool_size": "268435456",
    "variable_origins.innodb_buffer_pool_size": "CONFIG",
    "variables.innodb_io_capacity": "200",
    "variables.innodb_doublewrite": "ON",
    "variables.innodb_log_buffer_size": "16777217",
    "variables.table_open_cache": "2000",
    "variable_origins.table_open_cache": "AUTO",
    "variables.of_no_importance": "1",
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    """Two treatments, two blocks, one load; eleven commits of 1 to 11 ms in every run, and settings."""
    made = make_material(tmp_path_factory.mktemp("statements"), loads=(8,), blocks=2)
    commits = HdrHistogram(1, 3_600_000_000_000, 3)
    for millisecond in range(1, 12):
        commits.record_value(millisecond * 1_000_000)
    made.store.execute(
        "insert into histograms select run_id, treatment, block, rung, load, 'commit', 'service', 11, ?"
        " from histograms where label = 'transaction'",
        [commits.encode().decode()],
    )
    for run, treatment in made.store.execute("select run_id, treatment from runs").fetchall():
        for key, value in FACTS.items():
            text = value[treatment] if isinstance(value, dict) else value
            made.store.execute("insert into facts values (?, 'server', 'before', ?, ?)", [run, key, text])
    yield made
    made.store.close()


def only(tables: list[Table]) -> Table:
    (table,) = tables
    return table


def test_a_commit_has_percentiles_by_treatment_and_load(measured: Material) -> None:
    rows = [row for row in only(statements.tables(measured)).rows if row[0] == "commit"]
    assert [row[1:4] for row in rows] == [(8, ONE, 22), (8, TWO, 22)]
    for row in rows:
        p50, p95, p99 = (cell.value for cell in row[4:] if isinstance(cell, Figure))
        assert (p50, p95, p99) == pytest.approx((6, 11, 11), rel=1e-3)


def test_the_whole_transaction_stands_first_with_its_p95(measured: Material) -> None:
    table = only(statements.tables(measured))
    assert [row[0] for row in table.rows] == ["transaction"] * 2 + ["commit"] * 2
    assert "p95 low (ms)" in to_csv(table).splitlines()[0]


def test_a_run_that_is_invalid_is_in_no_mean_of_statements_and_in_no_tail(measured: Material) -> None:
    (run,) = {
        row["run_id"]
        for row in measured.rows("select run_id from runs where block = 1")
        if ONE in row["run_id"]
    }
    note = DoubtNote("lost-figures", "gone", run, 8, "invalid")
    doubted = replace(measured, results=replace(measured.results, doubts=(*measured.results.doubts, note)))
    commits = {row[2]: row[3] for row in only(statements.tables(doubted)).rows if row[0] == "commit"}
    assert commits == {ONE: 11, TWO: 22}
    assert {(p.treatment, p.blocks) for p in spectrum(doubted)} == {(ONE, 1), (TWO, 2)}
    whole = replace(note, load=None)
    gone = replace(measured, results=replace(measured.results, doubts=(whole,)))
    assert {(p.treatment, p.blocks) for p in spectrum(gone)} == {(ONE, 1), (TWO, 2)}


def test_a_failed_run_is_in_no_tail(measured: Material) -> None:
    store = measured.store.cursor()
    try:
        store.execute("update runs set status = 'failed' where block = 2 and treatment = ?", [TWO])
        assert {(p.treatment, p.blocks) for p in spectrum(measured)} == {(ONE, 2), (TWO, 1)}
    finally:
        store.execute("update runs set status = 'complete'")


def test_the_configuration_says_who_chose_each_value(measured: Material) -> None:
    table = only(configuration.tables(measured))
    found = {row[0]: row[1:] for row in table.rows}
    assert next(iter(found)) == VARIABLE
    assert found[VARIABLE] == ("factor of the study", "1", "2")
    assert found["innodb_buffer_pool_size"] == ("options file or command line", "256 MiB", "256 MiB")
    assert found["innodb_io_capacity"] == ("default of the server", "200", "200")
    assert found["innodb_log_buffer_size"][1] == "16777217"
    assert found["table_open_cache"][0] == "chosen by the server at its start"
    assert "of_no_importance" not in found


def test_both_are_said_in_chinese(measured: Material) -> None:
    zh = load_words("zh")
    chinese = replace(measured, words=zh)
    assert "# 各类语句的延迟" in to_markdown(only(statements.tables(chinese)), zh)
    assert "研究的因子" in to_markdown(only(configuration.tables(chinese)), zh)
