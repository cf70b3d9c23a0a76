"""The matrix: kinds of load down, servers across, with the word of each cell and what the page can see."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from assay.design.study import load_study
from assay.reporting.report import build_charts, build_tables, load_words, raw_rows, to_markdown, write_report
from assay.reporting.report.material import FEW_KINDS, Material
from assay.reporting.report.records.matrix import kinds, sees, sight
from assay.reporting.report.summary import opening
from assay.reporting.report.tables.model import Ratio, Table
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from reading import Page

pytestmark = pytest.mark.usefixtures("undrawn")

SERVERS = ("mysql@5.6", "mysql@9.7", "mariadb@11.4")
PLANTED = {  # by load: of mysql@9.7 and of mariadb@11.4 to mysql@5.6
    "point": (0.8, 1.0),
    "point-cold": (1.0, 1.25),
    "range": (1.0, 1.0),
    "insert": (1.5, 0.6),
}
LEVELS = {
    "point": 'point = { workload = { use = "oltp_point_select" } }',
    "point-cold": 'point-cold = { workload = { use = "oltp_point_select" },'
    ' server.variables.innodb_buffer_pool_size = "16M" }',
    "range": 'range = { workload = { use = "oltp_read_only", skip_trx = true } }',
    "insert": 'insert = { workload = { use = "oltp_insert", tables = "default" } }',
}
MANY = {
    f"range-{n}": f'range-{n} = {{ workload = {{ use = "oltp_read_only", range_size = {n} }} }}'
    for n in range(1, FEW_KINDS - len(LEVELS) + 2)
}
"""With these, there are more kinds of load than have tables and charts of their own: the page is small."""
RATIOS = PLANTED | dict.fromkeys(MANY, (1.0, 1.0))


def study_text(loads: dict[str, str]) -> str:
    head = STUDY_TOML.split("[[factor]]")[0].replace('use = "mariadb@10.11"\n', "")
    head = head.replace('use = "oltp_read_write"\n', "").replace("[1, 8, 64]", "[1, 8]")
    factors = f'[[factor]]\nname = "server.use"\nlevels = {list(SERVERS)}\n'
    factors += '[[factor]]\nname = "load"\n[factor.settings]\n' + "\n".join(loads.values())
    return head + factors + "\n[design]\nblocks = 6\n[verdict]\nmargin = 0.05\n"


def planted(path: Path, loads: dict[str, str], ratios: dict[str, tuple[float, float]]) -> Material:
    treatments, effect = {}, {}
    for number, server in enumerate(SERVERS):
        for place, load in enumerate(loads):
            name = f"use={server}, load={load}"
            treatments[name] = {"server.use": server, "load": load}
            effect[name] = (place + 1) * (1.0, *ratios[load])[number]
    folder = make_results(
        path,
        study_toml=study_text(loads),
        treatments=treatments,
        loads=(1, 8),
        effect=effect,
        blocks=6,
        truth=Truth(measure_s=4, warmup_s=1, run_sd=0.01, block_sd=0.05),
    )
    build_store(folder)
    study, store = load_study(folder.study_file), open_store(folder)
    return Material(study, judge(study, store), store, load_words("en"))


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    """Seven kinds of load on three servers, with the ratios of RATIOS; the last three are all equal."""
    found = planted(tmp_path_factory.mktemp("matrix"), LEVELS | MANY, RATIOS)
    yield found
    found.store.close()


def tables_of(material: Material) -> dict[str, Table]:
    return {table.name: table for table in build_tables(material)}


def test_cells_have_the_planted_ratios_and_their_words(material: Material) -> None:
    table = tables_of(material)["matrix-tps-8"]
    *rows, mean = table.rows
    assert [row[0] for row in rows] == list(RATIOS)
    for row, (newest, other) in zip(rows, RATIOS.values(), strict=True):
        for cell, true in zip(row[2:4], (newest, other), strict=True):
            assert isinstance(cell, Ratio)
            assert cell.value == pytest.approx(true, rel=0.03)
            assert cell.low is not None
            assert cell.high is not None
            assert cell.low < cell.value < cell.high
            assert cell.word == ("better" if true > 1 else "worse" if true < 1 else "same")
    assert mean[0] == "all, geometric mean"
    for cell, which in zip(mean[2:4], (0, 1), strict=True):
        true = 1.0
        for ratios in RATIOS.values():
            true *= ratios[which] ** (1 / len(RATIOS))
        assert isinstance(cell, Ratio)
        assert cell.value == pytest.approx(true, rel=0.02)


def test_costs_stand_beside_the_ratios_of_the_same_servers(material: Material) -> None:
    table = tables_of(material)["matrix-tps-1"]
    groups = dict(table.groups)
    assert groups["Ratio to use=mysql@5.6"] == 2
    assert groups["Server CPU per operation"] == len(SERVERS)
    column = [one.key for one in table.columns].index("use=mysql@9.7 cpu")
    for row, kind in zip(table.rows, kinds(material, "tps", 1), strict=False):
        found = material.estimate(kind.treatments["use=mysql@9.7"], 1, "server_cpu_us_per_query")
        assert found is not None
        assert row[column] == pytest.approx(found.value)


def test_it_says_what_it_can_see(material: Material) -> None:
    found = sight(material, 8)
    assert found is not None
    assert (found.cells, found.blocks) == (2 * len(RATIOS), 6)
    detectable = [one.detectable or 0 for row in kinds(material, "tps", 8) for one in row.compared.values()]
    assert (found.least, found.most) == (min(detectable), max(detectable))
    # Single runs vary by 1 % and their windows of 4 s by as much: a ratio of 1.02 to 1.04 in six blocks.
    assert 1.01 < found.middle < 1.05
    assert found.judged == pytest.approx(found.middle * 1.05)
    said = sees(material, 8)
    assert f"{100 * (found.middle - 1):.2g} % in the middle one" in said
    assert ", ".join(found.noisiest) in said
    assert tables_of(material)["matrix-tps-8"].note.startswith(said)
    assert said in opening(material)


def test_one_block_sees_nothing(material: Material) -> None:
    blind = tuple(replace(one, detectable=None) for one in material.results.comparisons)
    single = replace(material, results=replace(material.results, comparisons=blind))
    assert sight(single, 8) is None
    assert "does not tell" in sees(single, 8)


def test_a_kind_of_load_without_its_baseline_has_no_ratios(material: Material) -> None:
    first, *others = material.results.workloads
    names = {one: name for one, name in first.names.items() if name != f"use={SERVERS[0]}"}
    ran = tuple(one for one in material.results.treatments if one in names or one not in first.names)
    parts = (replace(first, names=names), *others)
    torn = replace(material.results, workloads=parts, treatments=ran)
    table = tables_of(replace(material, results=torn))["matrix-tps-1"]
    assert table.rows[0][:4] == ("point", None, None, None)
    assert table.rows[1][:1] == ("point-cold",)
    assert isinstance(table.rows[1][2], Ratio)
    assert table.rows[-1][0] == list(RATIOS)[-1], "no mean over kinds of load of which one is missing"


def test_levels_of_one_workload_are_kinds_of_load_of_their_own(material: Material) -> None:
    for one in material.results.comparisons:
        assert one.baseline.startswith("use=mysql@5.6, ")
        assert one.baseline.partition(", ")[2] == one.other.partition(", ")[2]
    assert [part.workload for part in material.results.workloads] == list(RATIOS)


def test_a_server_with_a_pool_of_its_own_stands_apart(material: Material) -> None:
    names = {row[0] for row in tables_of(material)["durability"].rows}
    assert names == {f"use={server}{kind}" for server in SERVERS for kind in ("", ", load=point-cold")}


@pytest.mark.long
def test_the_page_colours_a_cell_by_its_word_and_has_the_word(material: Material, tmp_path: Path) -> None:
    path = write_report(material.study, material.results, material.store, tmp_path)
    for file in (path, path.with_name("report.zh.html")):
        text = file.read_text()
        page = Page(text)
        assert {"table-matrix-tps-1", "table-matrix-tps-8", "table-matrix-p95-8"} <= set(page.ids)
        grid = text[text.index('id="table-matrix-tps-8"') :]
        grid = grid[: grid.index("</table>")]
        assert 'class="grouped tinted"' in grid
        cells = re.findall(r'<td class="ratio v-(\w+)">([^<]*)<span class="badge">([^<]*)</span>', grid)
        words = load_words("zh" if "zh" in file.name else "en")
        assert len(cells) == 2 * (len(RATIOS) + 1)
        assert all(words(f"word.{word}") in badge for word, _, badge in cells)
        assert [word for word, *_ in cells][:2] == ["worse", "same"]
        style = text[: text.index("</style>")]
        assert all(f".tinted td.v-{word} {{ background: " in style for word in ("better", "worse", "same"))
    rows = list(csv.DictReader((tmp_path / "tables/matrix-tps-8.csv").open()))
    assert rows[0]["load"] == "point"
    assert rows[0]["use=mysql@9.7 / use=mysql@5.6 verdict"] == "worse"
    assert "Ratio to use=mysql@5.6: use=mysql@9.7" in (tmp_path / "tables/matrix-tps-8.md").read_text()


def test_headings_in_csv_are_different(material: Material) -> None:
    table = tables_of(material)["matrix-tps-8"]
    headings, units, _ = raw_rows(table)
    assert len(set(zip(headings, units, strict=True))) == len(headings)
    assert to_markdown(table, material.words).count("\n| ") == len(table.rows) + 2


def test_many_kinds_of_load_have_the_matrix_instead_of_tables_and_charts(material: Material) -> None:
    tables = tables_of(material)
    assert not any(name.startswith("tps-") for name in tables)
    assert [chart.name for chart in build_charts(material)] == ["answer"]
    assert "instead of the tables and charts of each" in tables["matrix-tps-1"].note


@pytest.mark.long
def test_few_kinds_of_load_have_both(tmp_path: Path) -> None:
    loads = {load: LEVELS[load] for load in ("point", "range")}
    few = planted(tmp_path, loads, RATIOS)
    names = tables_of(few).keys()
    few.store.close()
    assert {"matrix-tps-1", "tps-point", "tps-range"} <= names
