"""CSV, Markdown and the page have the same figures."""

from __future__ import annotations

import csv
import re
from html import unescape
from pathlib import Path

import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables.model import Cell, Column, Figure, Link, Ratio, Table
from assay.reporting.report.tables.write import raw_rows, to_csv, to_markdown
from assay.reporting.report.words import load_words
from reading import Page
from synthetic import VARIABLE

NAMES = (
    "hypotheses", "hypothesis-parts", "tps", "qps", "p95", "p99", "mean", "comparisons", "costs", "generator",
    "errors", "fairness", "differences", "durability", "environment", "all-facts", "doubt-kinds", "doubts",
    "runs",
)  # fmt: skip


_LINK = re.compile(r"(?<!\\)\[((?:[^\]\\]|\\.)*)\]\([^)]*\)")


@pytest.fixture(scope="module")
def tables(material: Material) -> dict[str, Table]:
    return {table.name: table for table in build_tables(material)}


@pytest.fixture(scope="module")
def pages(written: Path) -> dict[str, Page]:
    return {file.name: Page(file.read_text(encoding="utf-8")) for file in written.glob("report*.html")}


def markdown_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [re.split(r"(?<!\\)\|", line.strip("| ")) for line in lines]
    plain = [
        [" ".join(unescape(_LINK.sub(r"\1", c)).replace("\\", "").split()) for c in row] for row in cells
    ]
    return [plain[0], *plain[2:]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("suffix", "page"), [("", "report.html"), (".zh", "report.zh.html")])
def test_page_and_markdown_show_the_same_cells(
    written: Path, tables: dict[str, Table], pages: dict[str, Page], name: str, suffix: str, page: str
) -> None:
    built = tables[name]
    heading, *rows = markdown_rows((written / "tables" / f"{name}{suffix}.md").read_text(encoding="utf-8"))
    shown_heading, *shown = pages[page].tables[name]
    at = [heading.index(one) for one in shown_heading]
    assert [[row[column] for column in at] for row in rows] == shown
    assert shown
    for column in set(range(len(heading))) - set(at):  # what is left out is said elsewhere
        assert built.columns[column].file_only or len({row[column] for row in rows}) == 1


def test_csv_has_full_precision_and_the_verdict(written: Path, material: Material) -> None:
    with (written / "tables" / "tps.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    estimate = material.estimate(f"{VARIABLE}=1", 8, "tps")
    comparison = material.comparison(f"{VARIABLE}=2", 8, "tps")
    assert estimate is not None
    assert comparison is not None
    (row,) = [row for row in rows if float(row["threads"]) == 8]
    assert float(row[f"{VARIABLE}=1 tps"]) == estimate.value
    assert float(row[f"{VARIABLE}=1 tps low"]) == estimate.low
    assert float(row[f"{VARIABLE}=2 / {VARIABLE}=1"]) == comparison.ratio
    assert row[f"{VARIABLE}=2 / {VARIABLE}=1 verdict"] == comparison.word


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_a_csv_of_as_many_rows(written: Path, tables: dict[str, Table], name: str) -> None:
    table = tables[name]
    with (written / "tables" / f"{name}.csv").open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    assert len(rows) == len(table.rows) + 1
    assert {len(row) for row in rows} == {len(rows[0])}


def test_cells_that_are_missing_stay_empty_in_csv_and_a_dash_for_people() -> None:
    table = Table(
        "results", "t", "T", (Column("a", "A"), Column("b", "B"), Column("r", "R", kind="ratio")),
        ((1, None, None), (2, Figure(0.5, 0.4, 0.6), Ratio(1.1, None, None, "estimate-only"))),
    )  # fmt: skip
    assert to_csv(table).splitlines() == [
        "a,b,b low,b high,r,r low,r high,r verdict",
        "1,,,,,,,",
        "2,0.5,0.4,0.6,1.1,,,estimate-only",
    ]
    assert "| 2 | 0.50 ± 0.10 | 1.100 ~ estimate |" in to_markdown(table, load_words("en"))


def test_markdown_escapes_bars_and_links_up_one_folder() -> None:
    table = Table("runs", "t", "T", (Column("a", "A"),), (("x|y",), (Link("run", "runs/b01 a=1/run.json"),)))
    text = to_markdown(table, load_words("en"))
    assert "x\\|y" in text
    assert "[run](../runs/b01%20a%3D1/run.json)" in text


def test_an_empty_table_says_what_its_emptiness_means() -> None:
    table = Table("errors", "errors", "Errors", (Column("a", "A"),), (), empty="No errors.")
    assert "No errors." in to_markdown(table, load_words("en"))
    assert to_csv(table) == "a\n"


def test_a_figure_among_ratios_has_no_verdict() -> None:
    columns = (Column("ratio", "ratio", kind="ratio"),)
    rows: tuple[tuple[Cell, ...], ...] = (
        (Ratio(2.0, 1.5, 2.5, "better"),),
        (Figure(3.0, 2.0, 4.0),),
        (Figure(5.0, None, None, at_least=True),),
        (Ratio(2.0, 1.5, 2.5, "undecided", bound="at-most"),),
    )
    headings, _, raw = raw_rows(Table("", "t", "t", columns, rows))
    found = [dict(zip(headings, row, strict=True)) for row in raw]
    assert [row["ratio verdict"] for row in found] == ["better", None, None, "undecided"]
    assert [row["ratio bound"] for row in found] == ["exact", "exact", "at-least", "at-most"]
    assert [row["ratio high"] for row in found] == [2.5, 4.0, None, 2.5]
