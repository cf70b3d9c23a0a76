"""Every number on a page is that of the CSV file, of the store, and of `assay show --json`."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator

import msgspec
import pytest
from asking import Cell, Seen, ask
from assay.base.numbers import number, ratio_with_interval, with_interval
from assay.experiments.lab import judged, results_folder
from assay.front.web import Site
from assay.front.web.archive.open_results import OpenResults
from assay.reporting.report import Table, raw_rows
from assay.reporting.report.sections import tables_shown
from assay.reporting.report.tables.model import Figure, Ratio
from assay.results.verdict import over_blocks
from starlette.applications import Starlette


@pytest.fixture(scope="module")
def opened(site: Site, rids: dict[str, str]) -> OpenResults:
    return site.opened(rids["quick"])


def _cells(table: Table, seen: Seen) -> Iterator[tuple[object, Cell]]:
    """Each cell of a table with what the page shows of it."""
    shown = seen.tables[table.name][-len(table.rows) :]
    assert len(shown) == len(table.rows)
    for row, cells in zip(table.rows, shown, strict=True):
        yield from zip(row, cells, strict=True)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_numbers_on_the_page_are_those_of_the_records(
    app: Starlette, opened: OpenResults, language: str
) -> None:
    seen = Seen(ask(app, f"/{language}/r/{opened.rid}").text)
    counted = 0
    for table in tables_shown(opened.material(language), opened.tables(language)):
        for cell, shown in _cells(table, seen) if table.rows else ():
            match cell:
                case Figure(value, low, high) if value is not None:
                    assert shown.values == [value]
                    assert shown.text == with_interval(value, low, high)
                case Ratio(value, low, high) if value is not None:
                    assert shown.values == [value]
                    assert shown.text.startswith(ratio_with_interval(value, low, high))
                case bool():
                    continue
                case int() | float() as value if math.isfinite(value):
                    assert shown.values == [value]
                    assert shown.text == number(value)
                case _:
                    continue
            counted += 1
    assert counted > 200


def test_numbers_on_the_page_are_those_of_the_csv(app: Starlette, opened: OpenResults) -> None:
    seen = Seen(ask(app, f"/en/r/{opened.rid}").text)
    for table in tables_shown(opened.material("en"), opened.tables("en")):
        text = ask(app, f"/en/r/{opened.rid}/tables/{table.file}.csv").text
        heading, *rows = csv.reader(io.StringIO(text))
        assert len(heading) >= len(raw_rows(table)[0])
        written = {float(cell) for row in rows for cell in row if _is_number(cell)}
        for _, shown in _cells(table, seen) if table.rows else ():
            assert {value for value in shown.values if math.isfinite(value)} <= written, table.name


def test_estimates_are_those_of_json_and_of_the_store(app: Starlette, opened: OpenResults) -> None:
    page = ask(app, f"/en/r/{opened.rid}.json").json()
    with judged(results_folder(opened.folder.path)) as found:
        said = json.loads(msgspec.json.encode(found.results))
        assert page["results"] == said
        for one in found.results.estimates:
            address = f"/en/r/{opened.rid}/n/{one.treatment}/{one.load:g}/{one.measure}.json"
            got = ask(app, address).json()
            assert got["estimate"]["value"] == one.value
            stored = found.store.execute(
                "SELECT block, value FROM measures WHERE treatment = ? AND load = ? AND measure = ?"
                " ORDER BY block",
                [one.treatment, one.load, one.measure],
            ).fetchall()
            values = sorted((value["block"], value["value"]) for value in got["values"])
            assert values == stored
            used = [value["value"] for value in got["values"] if value["used"]]
            mean = over_blocks(dict(enumerate(used)), 0.95)
            assert mean.value == pytest.approx(one.value, rel=1e-9)


def test_the_csv_twin_has_every_estimate(app: Starlette, opened: OpenResults) -> None:
    rows = list(csv.DictReader(io.StringIO(ask(app, f"/en/r/{opened.rid}.csv").text)))
    found = {(row["treatment"], float(row["load"]), row["measure"]): float(row["value"]) for row in rows}
    estimates = opened.judged.results.estimates
    assert found == {(one.treatment, one.load, one.measure): one.value for one in estimates}


def test_a_number_of_each_kind_leads_to_its_own_page(app: Starlette, opened: OpenResults) -> None:
    seen = Seen(ask(app, f"/en/r/{opened.rid}").text)
    for name in ("tps", "p95", "costs"):
        table = next(one for one in opened.tables("en") if one.name == name)
        links = 0
        for cell, shown in _cells(table, seen):
            if isinstance(cell, Figure) and cell.value is not None:
                (link,) = shown.links
                assert ask(app, f"{link}.json").json()["estimate"]["value"] == cell.value
                links += 1
        assert links


def test_the_catalogue_has_the_numbers_of_the_results(site: Site, opened: OpenResults) -> None:
    kept = {
        (row.treatment, row.load, row.measure): (row.value, row.low, row.high, row.blocks)
        for row in site.catalogue.measures()
        if row.rid == opened.rid
    }
    assert kept == {
        (one.treatment, one.load, one.measure): (one.value, one.low, one.high, len(one.blocks))
        for one in opened.judged.results.estimates
    }


def test_measures_of_a_run_are_those_of_the_store(app: Starlette, opened: OpenResults) -> None:
    run = next(iter(opened.runs))
    found = ask(app, f"/en/r/{opened.rid}/run/{run}/1.json").json()
    rows = {row[1]: row[3] for row in found["tables"][0]["rows"]}
    store = opened.judged.store.cursor()
    assert rows == dict(
        store.execute("SELECT measure, value FROM measures WHERE run_id = ? AND rung = 1", [run]).fetchall()
    )


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_the_page_says_whether_the_report_on_disk_is_the_same(
    app: Starlette, site: Site, rids: dict[str, str]
) -> None:
    from assay.experiments.gate import write_pages

    def said() -> str:
        site.results._opened.clear()
        return ask(app, f"/en/r/{rids['hostile <b>']}").text

    assert "There is no report.html on disk." in said()
    folder = site.opened(rids["hostile <b>"]).folder
    with judged(folder) as found:
        write_pages(found)
    assert "report.html on disk has the same records." in said()
    (folder.path / "tables" / "tps.csv").write_text("threads\n")
    assert "report.html on disk has other records" in said()
    site.results._opened.clear()  # what it holds now has no pictures


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
