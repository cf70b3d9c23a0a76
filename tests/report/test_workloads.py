"""A study of several workloads: one report, in which treatments are compared within a workload."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.design.study import load_study
from assay.reporting.report import print_summary, write_report
from assay.reporting.report.charts import build_charts
from assay.reporting.report.material import Material
from assay.reporting.report.tables import build_tables
from assay.reporting.report.words import load_words
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from reading import Page
from rich.console import Console

pytestmark = pytest.mark.usefixtures("undrawn")

SERVERS, WORKLOADS = ("mysql@5.6", "mariadb@10.11"), ("oltp_point_select", "oltp_read_write")
TREATMENTS = {
    f"use={server}, workload={workload}": {"server.use": server, "workload.use": workload}
    for server in SERVERS
    for workload in WORKLOADS
}
FACTORS = f"""
[[factor]]
name = "server.use"
levels = {list(SERVERS)}

[[factor]]
name = "workload.use"
levels = {list(WORKLOADS)}
"""


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    """Two servers, two workloads: MariaDB is twice as fast in one; read-write is a tenth of point select."""
    head = STUDY_TOML.split("[[factor]]")[0].replace('use = "mariadb@10.11"\n', "")
    head = head.replace('use = "oltp_read_write"\n', "").replace("[1, 8, 64]", "[1, 8]")
    claims = (
        "tps[use=mariadb@10.11] > tps[use=mysql@5.6]",
        "tps[use=mysql@5.6, workload=oltp_read_write] < tps[use=mysql@5.6, workload=oltp_point_select]",
    )
    toml = head + FACTORS + "".join(f'\n[[hypothesis]]\nclaim = "{claim}"\n' for claim in claims)
    effect = dict(zip(TREATMENTS, (1.0, 0.1, 2.0, 0.1), strict=True))
    folder = make_results(
        tmp_path_factory.mktemp("workloads"),
        study_toml=toml,
        treatments=TREATMENTS,
        loads=(1, 8),
        effect=effect,
        truth=Truth(measure_s=10, warmup_s=1),
    )
    build_store(folder)
    study, store = load_study(folder.study_file), open_store(folder)
    yield Material(study, judge(study, store), store, load_words("en"))
    store.close()


def test_no_verdict_is_drawn_between_workloads_unless_a_hypothesis_does(material: Material) -> None:
    pairs = {(c.baseline, c.other) for c in material.results.comparisons if c.measure == "p95_ms"}
    point, write = WORKLOADS
    assert pairs == {
        (f"use=mysql@5.6, workload={one}", f"use=mariadb@10.11, workload={one}") for one in WORKLOADS
    }
    across = {(c.baseline, c.other) for c in material.results.comparisons if c.measure == "tps"} - pairs
    assert across == {(f"use=mysql@5.6, workload={point}", f"use=mysql@5.6, workload={write}")}


def test_a_claim_that_leaves_the_workload_open_speaks_of_each(material: Material) -> None:
    each, across = material.results.hypotheses
    assert len(each.parts) == len(WORKLOADS) * len(material.results.loads)
    assert [part.outcome for part in each.parts[:2]] == ["supported", "supported"]
    assert each.outcome != "supported"
    assert across.outcome == "supported"


@pytest.mark.long
def test_each_workload_has_its_tables_and_charts(material: Material) -> None:
    tables = {table.name: table for table in build_tables(material)}
    assert {"tps-oltp_point_select", "tps-oltp_read_write", "costs-oltp_read_write"} <= tables.keys()
    assert "tps" not in tables
    tps = tables["tps-oltp_point_select"]
    assert tps.title.startswith("oltp_point_select: ")
    assert [column.label for column in tps.columns[1:]] == [
        *(f"use={server}" for server in SERVERS),
        "use=mariadb@10.11 / use=mysql@5.6",
    ]
    assert tps.rows[0][3].value == pytest.approx(2.0, rel=0.1)  # type: ignore[union-attr]
    assert tables["tps-oltp_read_write"].rows[0][3].value == pytest.approx(1.0, rel=0.1)  # type: ignore[union-attr]
    charts = {chart.name: chart for chart in build_charts(material)}
    for kind in ("throughput", "latency", "forest", "distribution", "timeline"):
        for workload in WORKLOADS:
            records = charts[f"{kind}-{workload}"].records
            said = {getattr(one, "treatment", None) or one.other for one in records}
            assert said <= {f"use={server}" for server in SERVERS}


def test_what_the_servers_were_is_said_once(material: Material) -> None:
    tables = {table.name: table for table in build_tables(material)}
    assert [row[0] for row in tables["durability"].rows] == [f"use={server}" for server in SERVERS]
    assert len([column for column in tables["fairness"].columns if "use=" in column.label]) == len(SERVERS)
    assert len(tables["comparisons"].rows) == len(material.results.comparisons)


@pytest.mark.long
def test_one_page_says_so(material: Material, tmp_path: Path) -> None:
    path = write_report(material.study, material.results, material.store, tmp_path)
    for file in (path, path.with_name("report.zh.html")):
        page = Page(file.read_text())
        assert len(page.ids) == len(set(page.ids))
        assert {f"table-tps-{workload}" for workload in WORKLOADS} <= set(page.ids)
    text = path.read_text()
    assert "of oltp_point_select, oltp_read_write on" in text
    assert "ratios are to use=mysql@5.6 with the same workload" in text
    rows = list(csv.DictReader((tmp_path / "tables/tps-oltp_read_write.csv").open()))
    assert "use=mysql@5.6 tps" in rows[0]


def test_the_terminal_too(material: Material) -> None:
    out = io.StringIO()
    print_summary(material.results, Console(file=out, width=120, no_color=True))
    assert [line for line in out.getvalue().splitlines() if line in WORKLOADS] == list(WORKLOADS)


def test_one_factor_at_a_time_has_each_server_once_too(tmp_path: Path) -> None:
    first = {"server.use": SERVERS[0], "workload.use": WORKLOADS[0]}
    treatments = {
        "baseline": first,
        f"use={SERVERS[1]}": first | {"server.use": SERVERS[1]},
        f"workload={WORKLOADS[1]}": first | {"workload.use": WORKLOADS[1]},
    }
    head = STUDY_TOML.split("[[factor]]")[0].replace('use = "mariadb@10.11"\n', "")
    head = head.replace('use = "oltp_read_write"\n', "").replace("[1, 8, 64]", "[1]")
    design = '[design]\nkind = "one-at-a-time"\nblocks = 6\n'
    folder = make_results(
        tmp_path,
        study_toml=head + FACTORS + design,
        treatments=treatments,
        loads=(1,),
        effect=dict.fromkeys(treatments, 1.0),
        truth=Truth(measure_s=3, warmup_s=1),
    )
    build_store(folder)
    study, store = load_study(folder.study_file), open_store(folder)
    assert study.design.kind == "one-at-a-time"
    material = Material(study, judge(study, store), store, load_words("en"))
    tables = {table.name: table for table in build_tables(material)}
    store.close()
    assert [row[0] for row in tables["durability"].rows] == ["baseline", f"use={SERVERS[1]}"]
