"""What servers and studies say stays text in every file of the report: no markup, formula or control code."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from assay.front.terminal import console, say_json
from assay.reporting.report import write_report
from reading import Page
from synthetic import VARIABLE, make_material

MARKUP = "<img src=x onerror=alert(1)>[x](javascript:alert(1))`*|"
CONTROL = "\x1b]0;mine\x07\x1b[2J\x00\u202e\x9b"
FORMULA = '=HYPERLINK("http://evil.example";"x")'
PLANTED = {
    "version": f"10.11{MARKUP}{CONTROL}",
    f"variables.{VARIABLE}": f"{FORMULA}{CONTROL}",
    "variables.innodb_io_capacity": f"+1{CONTROL}{MARKUP}",
    f"variables.name{MARKUP}{CONTROL}": "@SUM(A1)",
    "cpu.model": f"-2+3{CONTROL}{MARKUP}",
}
_LINK = re.compile(r"(?<!\\)\]\(javascript")
RAW_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A report of servers that said such things, with errors and doubts that repeat them."""
    place = tmp_path_factory.mktemp("hostile")
    made = make_material(place, loads=(1, 8), claim_source=MARKUP)
    for number, (run, block) in enumerate(made.store.execute("select run_id, block from runs").fetchall()):
        for key, value in PLANTED.items():
            said = f"{value}{number}" if "variables" in key else value
            made.store.execute("insert into facts values (?, 'server', 'before', ?, ?)", [run, key, said])
        assert block
    hostile = f"{FORMULA}{MARKUP}{CONTROL}"
    doubts = [replace(doubt, message=hostile, facts={}) for doubt in made.results.doubts]
    results = replace(
        made.results, doubts=tuple(doubts), runs_failed=((made.results.doubts[0].run_id or "r", hostile),)
    )
    write_report(made.study, results, made.store, place)
    (place / "results.json").write_text(json.dumps(asdict(results), default=str))
    yield place
    made.store.close()


def test_no_file_holds_a_raw_control_character(folder: Path) -> None:
    files = [path for kind in ("*.html", "tables/*", "charts/*") for path in folder.glob(kind)]
    assert len(files) > 40
    assert not [path.name for path in files if RAW_CONTROL.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("name", ["report.html", "report.zh.html"])
def test_the_page_has_no_markup_of_theirs(folder: Path, name: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert "<img" not in text
    assert "&lt;img src=x" in text
    page = Page(text)
    assert not [link for link in page.links if "javascript" in link]


def test_markdown_has_neither_html_nor_links_of_theirs(folder: Path) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("tables/*.md")}
    assert any("&lt;img" in text for text in texts.values())
    assert not [name for name, text in texts.items() if "<" in text or _LINK.search(text)]


def test_no_cell_of_a_csv_is_a_formula(folder: Path) -> None:
    seen = []
    for path in [*folder.glob("tables/*.csv"), *folder.glob("charts/*.csv")]:
        with path.open(encoding="utf-8", newline="") as lines:
            seen += [(path.name, cell) for row in csv.reader(lines) for cell in row]
    dangerous = [(name, cell) for name, cell in seen if re.match(r"[=@+\t\r]|-(?![\d.])", cell)]
    assert not dangerous
    assert any(cell.startswith("'=HYPERLINK") for _, cell in seen)


def test_charts_are_well_formed(folder: Path) -> None:
    for path in folder.glob("charts/*.svg"):
        assert ET.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")


def test_the_terminal_and_json_show_them_by_their_codes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = json.loads((folder / "results.json").read_text())
    say_json(results)
    console().print(results["runs_failed"][0][1], markup=False)
    out = capsys.readouterr().out
    assert not RAW_CONTROL.search(out)
    assert "\\x1b" in out
