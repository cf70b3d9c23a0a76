"""`assay init`, `assay list`, `assay show`: where one begins, and where one looks."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.experiments.lab import summary_of
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from shell import ROOT, Shell

FACTOR = "server.variables.innodb_flush_log_at_trx_commit=1,2"
PROFILE = """format = 1
source = "a server"
[[table]]
name = "t"
rows = 40
read = 40
bytes = 1000
create = "CREATE TABLE t (id int PRIMARY KEY)"
[[table.column]]
name = "id"
form = {kind = "whole", least = 0, most = 2147483647}
grows = true
ranges = [[1, 40, 1.0, 40]]
[[table.key]]
columns = ["id"]
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--factor", FACTOR, "--threads", "2,4", "--measure", "5s", "--blocks", "7"],
        ["--factor", "workload.range_selects=true,false", "--workload", "oltp_read_only"],
        ["--factor", "server.variables.innodb_buffer_pool_size=64M,512M"],
        ["--factor", "server.use=mariadb,mariadb@10"],
        ["--script", "own.lua"],
        ["--queries", "of/own.sql", "--dump", "of/shop.data.toml", "--factor", "dataset.scale=1,2"],
        [
            "--queries",
            "of/own.sql",
            "--dump",
            "of/dump.sql",
            "--server",
            "mariadb",
            "--server",
            "mariadb@10",
            "--factor",
            FACTOR,
        ],
    ],
)
def test_what_init_writes_is_a_study(shell: Shell, options: list[str]) -> None:
    Path("own.lua").write_text("function event() db_query('SELECT 1') end", encoding="utf-8")
    Path("of").mkdir()
    Path("of/own.sql").write_text("SELECT 1;", encoding="utf-8")
    Path("of/dump.sql").write_text("CREATE TABLE t (id INT PRIMARY KEY);", encoding="utf-8")
    Path("of/shop.data.toml").write_text(PROFILE, encoding="utf-8")
    ended = shell("init", "my_study.toml", "--yes", *options)
    assert (ended.code, ended.err) == (0, "")
    planned = shell("plan", "my_study.toml", "--no-start", "--json")
    assert planned.code == 0, planned.err
    assert json.loads(planned.out)["study"] == "my-study"


def test_init_takes_one_database_of_a_dump(shell: Shell) -> None:
    Path("dump.sql").write_text("USE a;\nCREATE TABLE t (id INT);\nUSE b;\nCREATE TABLE t (id INT);\n")
    shell("init", "x.toml", "--yes", "--dump", "dump.sql", "--database", "b")
    assert 'use = "dump:dump.sql"' in Path("x.toml").read_text(encoding="utf-8")
    planned = json.loads(shell("plan", "x.toml", "--no-start", "--json").out)
    assert {one["dataset"]["database"] for one in planned["treatments"] if "dataset" in one} <= {"b"}
    assert 'database = "b"' in Path("x.toml").read_text(encoding="utf-8")
    assert "--database needs --dump" in shell("init", "y.toml", "--yes", "--database", "b").err


def test_init_takes_what_it_is_told(shell: Shell) -> None:
    Path("of").mkdir()
    Path("of/my.cnf").write_text("[mysqld]\ninnodb_io_capacity = 321\n", encoding="utf-8")
    given = ["--factor", FACTOR, "--threads", "2,4", "--blocks", "7", "--options-file", "of/my.cnf"]
    ended = shell("init", "x.toml", "--yes", "--json", *given)
    assert json.loads(ended.out) == {"file": "x.toml", "study": "x", "lacks": None}
    planned = json.loads(shell("plan", "x.toml", "--no-start", "--json").out)
    assert planned["loads"] == [2.0, 4.0]
    assert {one["variables"]["innodb_io_capacity"] for one in planned["treatments"]} == {321}
    assert len(planned["runs"]) == 14


@pytest.mark.parametrize(
    ("factor", "loads"),
    [
        ("server.use=mariadb,mariadb@10", 6),
        ("schema.index=true,false", 6),
        ("server.variables.innodb_purge_threads=1,4", 1),
    ],
)
def test_where_levels_have_data_of_their_own_each_block_has_a_load(
    shell: Shell, factor: str, loads: int
) -> None:
    shell("init", "x.toml", "--yes", "--factor", factor)
    assert "loads" not in Path("x.toml").read_text(encoding="utf-8")
    planned = json.loads(shell("plan", "x.toml", "--no-start", "--json").out)
    assert planned["data_loads"] == loads


def test_init_touches_nothing_that_is_there(shell: Shell) -> None:
    Path("x.toml").write_text("mine", encoding="utf-8")
    ended = shell("init", "x.toml", "--yes")
    assert ended.code == 7
    assert Path("x.toml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--factor", "innodb_io_capacity"], "expected NAME=LEVEL,LEVEL"),
        (["--factor", "server.variables.innodb_bufer_pool_size=64M,96M"], "nearest: innodb_buffer_pool_size"),
        (["--factor", "server.use=mariadb,nosuch"], "'nosuch': no such server"),
        (["--workload", "lua:none.lua"], "none.lua"),
        (["--factor", "server.variables.innodb_io_capacity=1"], "expected NAME=LEVEL,LEVEL"),
        (["--factor", "nonsense=1,2"], "nonsense"),
        (["--workload", "shop.sql"], "write sql:shop.sql"),
        (["--read-only"], "server.read_only is for a server that runs already"),
        (["--workload", "oltp_readwrite"], 'did you mean "oltp_read_write"?'),
        (["--measure", "30"], "is not a length of time"),
        (["--threads", "0"], "expected numbers from 1"),
    ],
)
def test_init_refuses_what_plan_would_refuse(shell: Shell, options: list[str], said: str) -> None:
    ended = shell("init", "x.toml", "--yes", *options)
    assert ended.code in (2, 4)  # as `plan` does: the study is wrong, or no server takes it
    assert said in ended.err
    assert not Path("x.toml").exists()


def test_init_names_a_folder_that_is_not_there(shell: Shell) -> None:
    ended = shell("init", "no/such/x.toml", "--yes")
    assert (ended.code, "no such file or directory" in ended.err) == (2, True)


def test_init_asks_on_a_terminal() -> None:
    Path("own.sql").write_text("SELECT 1;", encoding="utf-8")
    Path("dump.sql").write_text("CREATE TABLE t (id INT PRIMARY KEY);", encoding="utf-8")
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "assay.front.cli", "init", "asked.toml"],
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")},
    )
    os.close(its_end)
    os.write(terminal, f"\nown.sql\n{FACTOR}\n3,5\n\n7\ndump.sql\n".encode())
    said = b""
    with contextlib.suppress(OSError):  # the other end is gone
        while part := os.read(terminal, 4096):
            said += part
    os.close(terminal)
    assert process.wait(timeout=60) == 0, said
    assert b"Factor to vary" in said
    text = Path("asked.toml").read_text(encoding="utf-8")
    assert 'use = "sql:own.sql"' in text
    assert 'use = "dump:dump.sql"' in text
    assert "threads = [3, 5]" in text
    assert "levels = [1, 2]" in text
    assert "blocks = 7" in text


@pytest.fixture
def results(tmp_path: Path) -> ResultsFolder:
    Path("purge.toml").write_text(STUDY_TOML, encoding="utf-8")
    return make_results(Path("results/purge-threads"), blocks=2, truth=Truth(measure_s=4, warmup_s=1))


def test_list_names_studies_and_results(shell: Shell, results: ResultsFolder) -> None:
    planned = len(json.loads(results.plan.read_text(encoding="utf-8"))["runs"])
    ended = shell("list")
    assert ended.code == 0
    assert "What does a safe commit cost?" in ended.out
    done = f"{planned} of {planned} runs done, no report yet"
    assert f"  purge-threads  Purge threads  {done}\n" in ended.out
    assert ended.out.index("Results") < ended.out.index("Studies")
    assert "(assay list features)" in ended.out
    assert "  features/add-index " not in ended.out
    assert "  features/add-index " in shell("list", "features").out
    wrong = shell("list", "fetures")
    assert (wrong.code, 'did you mean "features"?' in wrong.err) == (2, True)

    summary_of(results)
    last = r"  purge-threads  Purge threads  20\d\d-\d\d-\d\d: \S+ [\d,.]+ tps\b"
    assert re.search(last, shell("list").out)

    whole = json.loads(shell("list", "--json").out)
    assert {"quickstart", "tpcc"} <= {study["name"] for study in whole["studies"]}
    assert [(one["complete"], one["planned"]) for one in whole["results"]] == [(planned, planned)]


@pytest.mark.parametrize("name", ["quickstart", "features/add-index"])
def test_a_shipped_study_is_planned_by_its_name_and_a_file_comes_before_it(shell: Shell, name: str) -> None:
    planned = shell("plan", name, "--no-start", "--json")
    assert planned.code == 0, planned.err
    assert json.loads(planned.out)["study"] == name.rpartition("/")[2]
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(STUDY_TOML, encoding="utf-8")
    assert json.loads(shell("plan", name, "--no-start", "--json").out)["study"] == "purge-threads"


@pytest.mark.parametrize("name", ["../Cargo", "quickstrat", "/quickstart", "features"])
def test_what_is_no_name_of_a_study_is_a_file(shell: Shell, name: str) -> None:
    ended = shell("plan", name, "--no-start")
    assert ended.code == 2
    assert name in ended.err


def test_list_has_the_servers_of_a_study_and_can_choose_by_one(shell: Shell) -> None:
    everything = shell("list", "--studies").out
    assert "[mysql >= 8.0.12 and mariadb >= 10.3.2]" in everything
    for server, here in (
        ("mysql@8.0.15", True),
        ("mysql", True),
        ("mysql@5.6", False),
        ("mariadb@10.2", False),
    ):
        listed = shell("list", "--studies", "--server", server)
        assert listed.code == 0
        assert ("features/instant-column " in listed.out) is here, server
        assert "  quickstart " in listed.out
    studies = json.loads(shell("list", "--studies", "--json").out)["studies"]
    (one,) = [study for study in studies if study["name"] == "instant-column"]
    assert one["servers"] == ["mysql >= 8.0.12", "mariadb >= 10.3.2"]
    wrong = shell("list", "--server", "oracle")
    assert wrong.code == 2
    assert "no such server" in wrong.err


def test_list_of_nothing_says_how_to_begin(shell: Shell) -> None:
    assert "No results in results. Begin with: assay run" in shell("list").out
    assert "Results" not in shell("list", "--studies").out


def test_list_names_what_is_damaged(shell: Shell, results: ResultsFolder) -> None:
    results.plan.write_bytes(b"\x1b[2J")
    ended = shell("list")
    assert ended.code == 0
    assert "damaged: plan.json" in ended.out
    assert "\x1b" not in ended.out


def test_show_judges_and_writes_no_report(shell: Shell, results: ResultsFolder) -> None:
    ended = shell("show", results.path)
    assert ended.code == 0, ended.err
    assert "runs done, no report yet" in ended.out
    assert "Verdicts" in ended.out
    assert not results.report.exists()

    whole = json.loads(shell("show", results.path, "--json").out)
    assert whole["complete"] == whole["planned"]
    assert whole["judged"]["hypotheses"]


def test_show_before_the_first_run_is_over(shell: Shell, results: ResultsFolder) -> None:
    for run in list(results.finished_runs()):
        run.manifest.unlink()
    ended = shell("show", results.path)
    assert (ended.code, "0 of " in ended.out) == (0, True)
    assert json.loads(shell("show", results.path, "--json").out)["judged"] is None


def test_show_of_something_else(shell: Shell, tmp_path: Path) -> None:
    ended = shell("show", tmp_path)
    assert (ended.code, "contains no results of a study" in ended.err) == (2, True)
