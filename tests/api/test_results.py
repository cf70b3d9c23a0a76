"""`assay.load`: every number of a report, as tables and charts in Python."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import assay
import pyarrow as pa
import pytest
from assay.design.folder import ResultsFolder
from assay.experiments.gate import write_pages
from assay.experiments.lab import judged
from assay.reporting.report.escaping import in_csv
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

TOML = STUDY_TOML.replace("[1, 8, 64]", "[1, 8]")
ONE, FOUR = "innodb_purge_threads=1", "innodb_purge_threads=4"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    """Six blocks, in which four purge threads do 1.2 times as much."""
    path = tmp_path_factory.mktemp("results") / "purge-threads"
    return make_results(path, study_toml=TOML, loads=(1, 8), effect=1.2, truth=Truth(measure_s=3, warmup_s=1))


@pytest.fixture(scope="module")
def study(folder: ResultsFolder) -> Iterator[assay.StudyResults]:
    with assay.load(folder.path) as found:
        yield found


def test_every_number_of_the_report_is_there(folder: ResultsFolder, study: assay.StudyResults) -> None:
    with judged(folder) as found:
        write_pages(found, languages=("en",))
    for name in study.tables:
        assert _read(folder.path / "tables" / f"{name}.csv") == _written(study.table(name)), name
    assert {file.stem for file in (folder.path / "tables").glob("*.csv")} == set(study.tables)
    for name in study.charts:
        assert _read(folder.path / "charts" / f"{name}.csv") == _written(study.chart(name).records()), name
    assert {file.stem for file in (folder.path / "charts").glob("*.csv")} == set(study.charts)


def _read(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.reader(opened))[1:]


def _written(table: assay.Table) -> list[list[str]]:
    """Rows as CSV has them, where a list of words is written as Python writes a tuple."""
    return [
        [
            "" if value is None else str(in_csv(tuple(value) if isinstance(value, list) else value))
            for value in row.values()
        ]
        for row in table.rows()
    ]


def test_who_it_is(study: assay.StudyResults) -> None:
    assert (study.name, study.treatments, study.loads, study.load_kind) == (
        "purge-threads",
        (ONE, FOUR),
        (1.0, 8.0),
        "threads",
    )
    assert "6 of 6 blocks" in repr(study)
    assert "Purge threads" in study._repr_html_()


def test_measures_are_one_row_a_run_and_point(study: assay.StudyResults) -> None:
    table = study.measures("tps")
    assert len(table) == 6 * 2 * 2
    assert set(table["unit"]) == {"/s"}
    assert set(table["used"]) == {True}
    assert len(study.measures()) > len(table)
    with pytest.raises(assay.InputError, match="no measure tpss") as refused:
        study.measures("tpss")
    assert "tps" in (refused.value.hint or "")


def test_estimates_comparisons_and_verdicts_agree(study: assay.StudyResults) -> None:
    (row,) = study.comparisons("tps").where(load=8.0).rows()
    assert (row["baseline"], row["other"], row["word"]) == (ONE, FOUR, "better")
    assert row["low"] < 1.2 < row["high"]
    one, four = study.estimates("tps").where(load=8.0)["value"]
    assert four / one == pytest.approx(row["ratio"], rel=0.02)
    verdicts = study.verdicts()
    assert verdicts["outcome"][0] == "supported"
    parts = study.verdict_parts().where(hypothesis=1, load=8.0).rows()
    assert [(part["figure"], part["treatments"]) for part in parts] == [("ratio", [FOUR, ONE])]
    assert parts[0]["value"] == pytest.approx(row["ratio"])
    assert study.estimates().columns[:4] == ("treatment", "load", "measure", "unit")


def test_what_a_doubt_makes_invalid_is_not_used(tmp_path: Path) -> None:
    folder = make_results(
        tmp_path / "r", study_toml=TOML, blocks=2, loads=(1, 8), truth=Truth(measure_s=3, warmup_s=1)
    )
    run = next(folder.finished_runs())
    events = run.rung(1, "threads", 1).events  # its window ended early
    *lines, last = events.read_text().splitlines()
    result = {**json.loads(last), "complete": False}
    events.write_text("\n".join([*lines, json.dumps(result), ""]), encoding="utf-8")
    study = assay.load(folder.path)
    invalid = study.doubts().where(severity="invalid").rows()
    assert [(row["kind"], row["run_id"], row["load"]) for row in invalid] == [
        ("incomplete-window", run.path.name, 1.0)
    ]
    assert study.measures("tps").where(used=False).rows() == [
        row for row in study.measures("tps").rows() if (row["run_id"], row["load"]) == (run.path.name, 1.0)
    ]
    assert len(study.measures("tps").where(used=False)) == 1


def test_histograms_are_merged_over_blocks(study: assay.StudyResults) -> None:
    all_of_it = study.histogram(ONE, 8)
    counted = study.sql(
        "SELECT sum(count)::BIGINT AS n FROM histograms"
        " WHERE treatment = ? AND load = 8 AND label = 'transaction' AND kind = 'service'",
        [ONE],
    )
    assert [all_of_it.count] == counted["n"]
    assert all_of_it.min <= all_of_it.quantile(0.5) <= all_of_it.quantile(0.99) <= all_of_it.max
    assert all_of_it.quantile([0.5, 0.99]) == [all_of_it.quantile(0.5), all_of_it.quantile(0.99)]
    bins = all_of_it.bins()
    assert sum(bins["count"]) == all_of_it.count
    assert bins.units == {"low_ms": "ms", "high_ms": "ms"}
    both = all_of_it + study.histogram(FOUR, 8)
    assert both.count == all_of_it.count + study.histogram(FOUR, 8).count
    assert "p99_ms (ms)" in both._repr_html_()


def test_a_histogram_that_is_not_there_says_what_is(study: assay.StudyResults) -> None:
    with pytest.raises(assay.InputError) as refused:
        study.histogram(ONE, 9)
    assert "load: 1, 8" in (refused.value.hint or "")
    with pytest.raises(assay.InputError, match="is not a share"):
        study.histogram(ONE, 8).quantile(99)


def test_seconds_of_a_run(study: assay.StudyResults) -> None:
    run = study.runs()["run_id"][0]
    table = study.seconds(run)
    assert set(table["run_id"]) == {run}
    assert table.units["p95_ms"] == "ms"
    assert len(study.seconds()) > len(table)


def test_sql_and_its_mistakes(study: assay.StudyResults) -> None:
    assert study.sql("SELECT count(*) AS runs FROM runs").rows() == [{"runs": 12}]
    with pytest.raises(assay.InputError, match="the query failed"):
        study.sql("SELECT nothing FROM nowhere")


def test_a_chart_is_shown_and_taken_apart(study: assay.StudyResults) -> None:
    chart = study.chart("throughput")
    assert chart._repr_svg_().startswith("<svg")
    assert chart.spec["$schema"].endswith("v6.json")
    assert len(chart.records()) == 4
    with pytest.raises(assay.InputError, match="has no chart speed"):
        study.chart("speed")
    with pytest.raises(assay.InputError, match="has no table speed"):
        study.table("speed")


def test_a_table_in_other_forms(study: assay.StudyResults, monkeypatch: pytest.MonkeyPatch) -> None:
    table = study.comparisons()
    assert pa.table(table).num_rows == len(table)
    assert table.arrow().schema.field("ratio").metadata[b"meaning"].startswith(b"other / baseline")
    assert json.dumps(table.rows())
    for name, to in (("pandas", table.to_pandas), ("polars", table.to_polars)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(assay.InputError, match=f"{name} is not installed here") as refused:
            to()
        assert f"pip install {name}" in (refused.value.hint or "")


def test_a_table_in_a_notebook_is_escaped_and_short(study: assay.StudyResults) -> None:
    shown = study.sql("SELECT '<b>' AS \"<i>\", i AS n_ms FROM range(30) t(i)")._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert shown.count("<tr>") == 21
    assert "and 10 more rows" in shown
    assert "n_ms (ms)" in shown


def test_no_results(tmp_path: Path) -> None:
    with pytest.raises(assay.AssayError, match="contains no results of a study"):
        assay.load(tmp_path)


def test_the_public_names(study: assay.StudyResults) -> None:
    names: list[Any] = [getattr(assay, name) for name in assay.__all__]
    assert all(value.__doc__ for value in names)
    assert set(dir(assay)) == set(assay.__all__)
