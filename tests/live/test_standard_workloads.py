"""`assay bench` with YCSB, TATP and SmallBank on a real server: made, measured, checked, dropped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.reporting.report import explained, load_words
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.system.server import Instance
from live_command import Finished

pytestmark = pytest.mark.live

STUDY = """\
[study]
name = "kinds"
[server]
use = "mariadb"
variables = { innodb_buffer_pool_size = "32M" }
[workload]
use = "tatp"
subscribers = 1000
[load]
threads = [2]
warmup = "0s"
measure = "1s"
[design]
blocks = 1
[[hypothesis]]
claim = "get_access_data.p95 < 1 s"
[[hypothesis]]
claim = "get_access_data.tps/tps ~ 0.35"
"""

Assay = Callable[..., Finished]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("ps_mode", ["auto", "disable"])
@pytest.mark.parametrize(
    ("name", "shape", "kind", "counter"),
    [
        ("ycsb", ["--recordcount=2000"], "update", "records_found"),
        ("tatp", ["--subscribers=2000"], "get_access_data", "qualified"),
        ("smallbank", ["--accounts=2000", "--ledger=on", "--min-balance=0"], "amalgamate", "overdrawn"),
    ],
)
def test_a_workload_is_made_measured_checked_and_dropped(
    assay: Assay, mariadb: Instance, name: str, shape: list[str], kind: str, counter: str, ps_mode: str
) -> None:
    where = ["--socket", str(mariadb.socket), "--db", "assay", *shape]
    short = ["--events=3000", "--time=0"]
    made = assay("bench", name, "prepare", *where)
    assert made.code == 0, made.err
    try:
        ran = assay("bench", name, *where, "--threads=8", *short, f"--ps-mode={ps_mode}", "--json")
        assert ran.code == 0, ran.err
        found = json.loads(ran.out)
        assert (found["errors"], found["failed"]) == (0, 0)
        assert sum(of_kind["count"] for of_kind in found["kinds"].values()) == found["events"]
        assert found["kinds"][kind]["count"] > 0
        assert found["counters"][counter] > 0

        shown = assay("bench", name, *where, "--threads=8", *short, f"--ps-mode={ps_mode}")
        assert shown.code == 0, shown.err
        first_words = [line.split()[0] for line in shown.out.splitlines() if line.strip()]
        assert {kind, "counters", counter} <= set(first_words)

        checked = assay("bench", name, "check", *where)
        assert checked.code == 0, checked.err
    finally:
        # Whatever the tables were made with.
        dropped = assay("bench", name, "cleanup", "--socket", str(mariadb.socket), "--db", "assay")
    assert dropped.code == 0, dropped.err
    with mariadb.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SHOW TABLES FROM assay")
        assert list(cursor.fetchall()) == []


@pytest.mark.long
def test_a_study_claims_something_of_a_kind(assay: Assay, tmp_path: Path) -> None:
    study = tmp_path / "kinds.toml"
    study.write_text(STUDY, encoding="utf-8")
    folder = ResultsFolder(tmp_path / "results")
    done = assay("run", str(study), "--results", str(folder.path), "--no-report")
    assert done.code == 0, done.err
    build_store(folder)
    with open_store(folder) as store:
        fast, shares = judge(load_study(study), store).hypotheses
    (part,) = fast.parts
    assert explained(load_words("en"), part.explanation).startswith(
        "get_access_data.p95_ms of default at 2 threads is "
    )
    (part,) = shares.parts
    assert part.figure.value == pytest.approx(0.35, abs=0.05)  # of the mix, as TATP has it

    study.write_text(STUDY.replace("get_access_data.p95", "get_acces_data.p95"), encoding="utf-8")
    refused = assay("run", str(study), "--results", str(tmp_path / "others"))
    said = 'hypothesis[0].claim: tatp has no kind of transactions "get_acces_data"; did you mean'
    assert (refused.code, said in refused.err) == (2, True), refused.err


def test_tables_of_another_size_are_refused_without_figures(assay: Assay, mariadb: Instance) -> None:
    where = ["--socket", str(mariadb.socket), "--db", "assay"]
    assert assay("bench", "tatp", "prepare", *where, "--subscribers=1000").code == 0
    try:
        ran = assay("bench", "tatp", *where, "--subscribers=100000", "--threads=2", "--time=1")
        assert ran.code == 4, ran.out + ran.err
        assert "service ms" not in ran.out
        assert "give subscribers as in prepare" in ran.err
        checked = assay("bench", "tatp", "check", *where, "--subscribers=2000")
        assert checked.code == 4
        assert "BROKEN  subscribers-filled" in checked.out
        assert "n = 1000, first = 1, last = 1000, asked = 2000" in checked.out
    finally:
        assert assay("bench", "tatp", "cleanup", *where).code == 0
