"""A study whose workload is a script for sysbench: an option as a factor, files in the results, a running
server.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import ConflictError
from assay.design.folder import ResultsFolder, read_entry, read_manifest
from assay.design.plan import make_plan
from assay.design.study import load_measured, load_study, study_hash
from assay.measurement.source.dataset import datasets
from assay.measurement.source.script_tables import ScriptTables
from assay.system.engine import Interrupts
from assay.system.server import Instance, parse_dsn
from live_command import Finished

pytestmark = pytest.mark.live

STUDY = """
[study]
name = "counters"
[server]
use = "{use}"
[server.variables]
{variables}
[workload]
use = "lua:kit/counters.lua"
rows = {rows}
[load]
rate = [60]
connections = 3
warmup = "none"
measure = "1s"
[design]
blocks = 1
order = "as-written"
"""
FACTOR = """
[[factor]]
name = "workload.reads"
levels = [1, 4]
[[hypothesis]]
claim = "qps[reads=1] < qps[reads=4]"
"""
SCRIPT = """
require("common")
sysbench.cmdline.options.reads = {"Rows that an event reads", 1}
local con
function thread_init() con = sysbench.sql.driver():connect() end
function event()
  for _ = 1, sysbench.opt.reads do
    con:query_row("SELECT n FROM counters WHERE id = " .. sysbench.rand.uniform(1, sysbench.opt.rows))
  end
  con:query("UPDATE counters SET n = n + 1 WHERE id = " .. sysbench.rand.uniform(1, sysbench.opt.rows))
end
"""
COMMON = """
sysbench.cmdline.prepare_reads = {"rows"}
sysbench.cmdline.options = {rows = {"Rows of the table", 10}, broken = {"Whether the check fails", false}}
sysbench.cmdline.commands = {check = {function()
  local con = sysbench.sql.driver():connect()
  assert(tonumber((con:query_row("SELECT COUNT(*) FROM counters"))) == sysbench.opt.rows)
  assert(not sysbench.opt.broken, "the counters are broken")
end}}
function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("CREATE TABLE counters (id INT PRIMARY KEY, n INT NOT NULL)")
  con:bulk_insert_init("INSERT INTO counters VALUES")
  for id = 1, sysbench.opt.rows do con:bulk_insert_next("(" .. id .. ", 0)") end
  con:bulk_insert_done()
end
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit/counters.lua").write_text(SCRIPT)
    (tmp_path / "kit/common.lua").write_text(COMMON)

    def written(use: str = "mariadb", variables: str = "", rows: int | str = 40, after: str = "") -> Path:
        path = tmp_path / "counters.toml"
        path.write_text(STUDY.format(use=use, variables=variables, rows=rows) + after)
        return path

    return written


@pytest.mark.long
def test_an_option_of_a_script_is_a_factor(
    assay: Callable[..., Finished], write: Callable[..., Path], tmp_path: Path
) -> None:
    small = 'innodb_flush_log_at_trx_commit = 0\ninnodb_buffer_pool_size = "32M"'
    folder = ResultsFolder(tmp_path / "results")
    study = write(variables=small, after=FACTOR)
    ran = assay("run", str(study), "--results", str(folder.path), "--no-report")
    assert ran.code == 0, ran.err

    queries = {}
    for run in folder.finished_runs():
        manifest = read_manifest(run)
        assert manifest.workload == "lua:kit/counters.lua"
        assert set(manifest.workload_files) == {"kit/counters.lua", "kit/common.lua"}
        assert manifest.dataset["rows"] == 40
        (rung,) = manifest.rungs
        lines = (run.path / rung.dir / "events.jsonl").read_text().splitlines()
        (result,) = (one for one in map(json.loads, lines) if one["event"] == "result")
        assert result["latency"] == "response", "the schedule of an open loop"
        assert result["transactions"] > 10
        assert {"transaction", "select", "update"} <= {
            name for name, times in result["labels"].items() if times["count"]
        }
        queries[manifest.levels["workload.reads"]] = result["queries"] / result["transactions"]
    assert queries == {1: pytest.approx(2, rel=0.2), 4: pytest.approx(5, rel=0.2)}
    (made,) = (one.manifest for one in datasets() if one.manifest.workload == "lua:kit/counters.lua")
    assert made.options == {"rows": 40}, "the script says that `prepare` reads no other option"
    assert made.script is not None

    # The results folder is whole without the files beside the study.
    for path in (tmp_path / "kit").iterdir():
        path.unlink()
    kept = load_measured(folder.study_file)
    assert kept.workload.files["lua:kit/counters.lua"] == SCRIPT
    assert study_hash(kept) == read_entry(folder).hash
    again = assay("run", str(folder.study_file), "--results", str(folder.path))
    assert again.code == 0, again.err
    page = folder.report.read_text()
    assert "kit/counters.lua (SHA-256 " in page


def test_a_run_whose_check_fails_has_failed(
    assay: Callable[..., Finished], write: Callable[..., Path], tmp_path: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    ran = assay("run", str(write(rows="40\nbroken = true")), "--results", str(folder.path), "--no-report")
    (run,) = folder.finished_runs()
    manifest = read_manifest(run)
    assert manifest.status == "failed", ran.err
    assert manifest.failure is not None
    assert "common.lua:7: the counters are broken" in manifest.failure.message


@pytest.mark.long
def test_a_script_is_the_load_of_an_experiment(
    assay: Callable[..., Finished], write: Callable[..., Path], tmp_path: Path
) -> None:
    study = write(variables='innodb_buffer_pool_size = "32M"', after='[experiment]\nuse = "crash-recovery"\n')
    study.write_text(study.read_text().replace("rate = [60]\nconnections = 3", "threads = [2]"))
    folder = ResultsFolder(tmp_path / "results")
    ran = assay("run", str(study), "--results", str(folder.path), "--no-report")
    assert ran.code == 0, ran.err
    (run,) = folder.finished_runs()
    (rung,) = read_manifest(run).rungs
    records = json.loads((run.path / rung.dir / "found.json").read_text())
    figures = {one["name"]: one["value"] for record in records for one in record["figures"]}
    assert figures["lost_commits"] == 0
    assert figures["acknowledged"] > 0


def test_the_tables_of_a_script_on_a_running_server(
    assay: Callable[..., Finished], write: Callable[..., Path], tmp_path: Path, mariadb: Instance
) -> None:
    use = f"dsn:mysql://root@localhost/theirs?socket={mariadb.socket}"

    def ask(sql: str) -> list[tuple[object, ...]]:
        with closing(mariadb.connect()) as connection:
            return connection.rows(sql, columns=0)

    def ready(rows: int) -> list[str]:
        (treatment,) = make_plan(load_study(write(use=use, rows=rows)), seed=1).treatments
        assert treatment.script is not None
        tables = ScriptTables(parse_dsn(use), treatment, treatment.script, Interrupts())
        return [doubt.message for doubt in tables.ready(lambda _: None, lambda _: None)]

    ask("CREATE OR REPLACE DATABASE theirs")
    try:
        made = assay("run", str(write(use=use)), "--results", str(tmp_path / "made"), "--no-report")
        assert made.code == 0, made.err
        ((rows, changed),) = ask("SELECT COUNT(*), SUM(n) FROM theirs.counters")
        assert rows == 40
        assert int(str(changed)) > 5
        assert ready(40) == ["counters: earlier load may have changed the tables since they were made"]
        with pytest.raises(ConflictError, match="counters was made by another script, or with other options"):
            ready(50)
        ask("CREATE OR REPLACE TABLE theirs.counters AS SELECT seq AS id, 0 AS n FROM theirs.seq_1_to_40")
        (doubt,) = ready(50)
        assert doubt == "counters: not made by this lab; whether the script has made them is unknown"
    finally:
        ask("DROP DATABASE theirs")
