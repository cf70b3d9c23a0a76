"""The published data that ships: every file loads with its axes, and what belongs together is joined."""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.comparison.published import (
    PublishedTable,
    find_published,
    find_table,
    published_claims,
    published_reports,
)
from assay.experiments.comparison.published.tables import read_table
from each import each

DATA = Path(str(resources.files("assay.experiments.comparison.published") / "data"))
TABLES = {table.id: table for report in published_reports() for table in report.tables}


def test_every_file_is_read() -> None:
    about = {
        "charts.csv",
        "claims.csv",
        "environments.csv",
        "figures_in_prose.csv",
        "claims.toml",
        "reports.toml",
    }
    files = {path.name for path in DATA.iterdir()}
    assert about <= files
    assert len(TABLES) == len(files - about)


def test_a_table_has_every_row_of_its_file() -> None:
    each(TABLES.values(), _has_every_row, lambda table: table.id)


def _has_every_row(table: PublishedTable) -> None:
    (file,) = DATA.glob(f"{table.id}*.csv")
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(table.rows) == len(rows)
    if "metric" in rows[0]:
        assert [cell.printed for cell in table.cells] == [
            row.get("as_published") or row["result"] for row in rows
        ]
        assert [cell.measure for cell in table.cells] == [row["metric"] for row in rows]


def test_a_figure_has_a_place_of_its_own_on_the_axes() -> None:
    each((one for one in TABLES.values() if one.cells), _has_places, lambda table: table.id)


def _has_places(table: PublishedTable) -> None:
    places = [(cell.levels, cell.measure) for cell in table.cells]
    assert len(set(places)) == len(places)
    for cell in table.cells:
        assert len(cell.levels) == len(table.axes)
        assert all(level in axis.levels for axis, level in zip(table.axes, cell.levels, strict=True))
    assert all(len(axis.levels) > 1 for axis in table.axes)


def test_axes_are_those_that_the_reports_vary() -> None:
    assert [axis.name for axis in TABLES["002_02"].axes] == ["threads", "numa"]
    assert TABLES["002_02"].axes[0].levels == ("8", "16", "32", "64", "128", "256", "512")
    assert [axis.name for axis in TABLES["003_01"].axes] == ["threads", "indexed"]
    assert TABLES["003_01"].fixed["innodb_buffer_pool_size"] == "24G"
    tied = "innodb_write_io_threads=innodb_read_io_threads"
    assert [axis.name for axis in TABLES["000_01"].axes] == ["innodb_use_native_aio", tied]
    ways = {table: one.x.name for table, one in TABLES.items() if one.x is not None}
    assert ways["002_22"] == "sample"
    assert ways["000_05"] == "innodb_purge_batch_size"
    assert ways["000_03"] == "innodb_change_buffering"


def test_words_among_the_figures_have_no_value() -> None:
    printed = {cell.printed for cell in TABLES["000_09"].cells if cell.value is None}
    assert printed == {"OK", "NG", "127.0.0.1", ""}


def test_a_table_of_one_row_has_no_axis() -> None:
    one = read_table("009_01_one", "study,source_line,metric,unit,threads,result\n009_x,3,tps,1/s,8,12.5\n")
    assert (one.id, one.name, one.axes, one.x) == ("009_01", "one", (), None)
    assert [(cell.levels, cell.value) for cell in one.cells] == [((), 12.5)]
    assert one.fixed == {"threads": "8"}


def test_claims_have_their_lines_and_what_they_say() -> None:
    found = published_claims()
    counts = {report.id: len(report.claims) for report in published_reports()}
    assert counts == {"000": 45, "001": 22, "002": 20, "003": 20, "004": 12}
    assert all(claim.expressions and claim.source_line > 0 for claim in found.values())
    assert found["H000-29"].is_absolute
    assert not found["H000-25"].is_absolute
    assert found["H002-05"].not_testable is not None
    assert set(found["H002-05"].not_testable) == {"en", "zh"}


def test_ids_beside_the_claims_are_ids_of_claims() -> None:
    import tomllib

    said = tomllib.loads((DATA / "claims.toml").read_text("utf-8"))
    assert set(said["claims"]) == set(published_claims())
    assert set(said["absolute"]) <= set(published_claims())
    assert set(said["not_testable"]) <= set(published_claims())
    assert len(said["not_testable"]) <= 14  # at least 105 of 119 are tested


def test_charts_name_tables_and_measures_that_there_are() -> None:
    drawn = [chart for report in published_reports() for chart in report.charts if chart.tables]
    assert len(drawn) == 13
    for chart in drawn:
        for name in chart.tables:
            assert chart.measure in {"", *(one.name for one in TABLES[name].measures)}


def test_what_is_not_there_is_said_with_what_there_is() -> None:
    with pytest.raises(InputError, match="neither a published report") as caught:
        find_published("002_99")
    assert "002_21" in str(caught.value.hint)
    with pytest.raises(InputError, match="not a table") as caught:
        find_table("004")
    assert "no table" in str(caught.value.hint)
