"""Every experiment on a real server, from its study to its measures."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pymysql
import pytest
from assay.design.folder import ResultsFolder
from assay.design.study.experiments import EXPERIMENTS
from assay.results.store import build_store, open_store
from forked import Command
from live_command import PATIENCE_S, Finished, wait_for
from undrawn import UNDRAWN

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]

STUDY = """\
[study]
name = "experiment"
[server]
use = "mariadb"
variables = {{ {variables} }}
[workload]
{workload}
[load]
{load}
warmup = "none"
measure = "{measure}"
[experiment]
use = "{use}"
{options}
[design]
blocks = 1
"""


VARIABLES = 'innodb_buffer_pool_size = "32M", innodb_redo_log_capacity = "16M"'
WORKLOAD = 'use = "oltp_read_write"\ntable_size = 2_000'
BUSY = "threads = [2]"
GENTLE = "threads = [1]"
"""For what is not of throughput: the processors are for the tests beside."""
AT_EASE = f"{VARIABLES}, binlog_commit_wait_count = 100, binlog_commit_wait_usec = 4000"
"""Each commit of a server with a binary log waits for others, of which there are not so many."""


def study_text(
    use: str,
    *,
    measure: str,
    options: str = "",
    variables: str = VARIABLES,
    workload: str = WORKLOAD,
    load: str = BUSY,
) -> str:
    return STUDY.format(
        use=use, measure=measure, options=options, variables=variables, workload=workload, load=load
    )


def measured(
    assay: Assay,
    folder: Path,
    use: str,
    *,
    measure: str = "3s",
    options: str = "",
    rows: str = "2_000",
    variables: str = VARIABLES,
    workload: str = WORKLOAD,
    load: str = BUSY,
    reported: bool = False,
) -> dict[str, float]:
    """The figures of one run, which are the store's measures too."""
    study = folder / "experiment.toml"
    text = study_text(
        use, measure=measure, options=options, variables=variables, workload=workload, load=load
    )
    study.write_text(text.replace("2_000", rows))
    results = ResultsFolder(folder / "results")
    only_measured = [] if reported else ["--no-report"]
    # What is asked of a report is in its pictures.
    done = assay("run", str(study), "--results", str(results.path), *only_measured, **{UNDRAWN: ""})
    assert done.code == 0, done.err
    (run,) = results.finished_runs()
    (record,) = run.path.glob("rungs/*/found.json")
    figures = {figure["name"]: figure["value"] for figure in json.loads(record.read_text())[0]["figures"]}
    assert figures.keys() <= EXPERIMENTS[use].measures.keys()
    build_store(results)
    with open_store(results) as store:
        stored = dict(store.execute("SELECT measure, value FROM measures").fetchall())
    assert {name: stored[name] for name in figures} == figures
    return figures


@pytest.mark.sampled(1)
@pytest.mark.parametrize("index", ["after", "before"])
def test_bulk_load(assay: Assay, tmp_path: Path, index: str) -> None:
    figures = measured(assay, tmp_path, "bulk-load", options=f'index = "{index}"')
    assert figures.keys() == {name for name in EXPERIMENTS["bulk-load"].measures if "cold" not in name}
    assert figures["load_rows_per_s"] == pytest.approx(2_000 / figures["load_s"])
    # A row has 190 bytes of columns.
    assert 190 < figures["file_bytes_per_row"] < 10_000


@pytest.mark.long
def test_what_was_loaded_is_read_from_a_cold_cache(assay: Assay, tmp_path: Path) -> None:
    options = 'way = "insert"\nrows_per_statement = 10\nread_s = 2.0'
    figures = measured(assay, tmp_path, "bulk-load", options=options)
    assert figures.keys() == EXPERIMENTS["bulk-load"].measures.keys()
    assert figures["cold_qps"] > 0
    assert 0 < figures["cold_pages_per_query"] < 1
    (record,) = tmp_path.glob("results/runs/*/rungs/*/found.json")
    facts = json.loads(record.read_text())[0]["facts"]
    assert facts == {"loaded_as": "insert", "load_statements": "200"}
    assert (record.parent / "load-events.jsonl").is_file()


def test_crash_recovery_loses_nothing_that_was_acknowledged(assay: Assay, tmp_path: Path) -> None:
    figures = measured(assay, tmp_path, "crash-recovery", measure="2s")
    assert figures["acknowledged"] > 0
    assert (figures["lost_commits"], figures["ghost_rows"]) == (0, 0)
    assert figures["recovery_s"] > 0


@pytest.mark.long
def test_crash_recovery_looks_for_the_orders_of_tpcc(assay: Assay, tmp_path: Path) -> None:
    figures = measured(
        assay,
        tmp_path,
        "crash-recovery",
        measure="2s",
        workload='use = "tpcc"',
        variables='innodb_buffer_pool_size = "128M", innodb_flush_log_at_trx_commit = 1',
    )
    (ledger,) = tmp_path.glob("results/runs/*/rungs/*/acknowledged.ledger")
    orders = [line for line in ledger.read_text().splitlines() if line.startswith("new_order ")]
    assert 0 < len(orders) < figures["acknowledged"]
    assert (figures["lost_commits"], figures["ghost_rows"]) == (0, 0)


@pytest.mark.long
def test_the_kill_comes_as_soon_as_there_is_so_much_redo(assay: Assay, tmp_path: Path) -> None:
    figures = measured(assay, tmp_path, "crash-recovery", measure="60s", options="redo_mb = 1.0")
    assert 1.0 <= figures["checkpoint_age_mb"] < 15.0
    assert figures["pages_recovered"] > 1
    (record,) = tmp_path.glob("results/runs/*/rungs/*/found.json")
    assert json.loads(record.read_text())[0]["facts"] == {"killed_at": "1 MB of redo"}


@pytest.mark.long
def test_a_ledger_without_transactions_keeps_what_was_rolled_back(assay: Assay, tmp_path: Path) -> None:
    figures = measured(assay, tmp_path, "crash-recovery", measure="2s", options='ledger_engine = "myisam"')
    assert figures["lost_commits"] == 0
    assert figures["ghost_rows"] >= figures["acknowledged"] > 0


@pytest.mark.long
def test_schema_change_behind_an_open_transaction_waits_for_it(assay: Assay, tmp_path: Path) -> None:
    figures = measured(
        assay, tmp_path, "schema-change", measure="6s", options="open_transaction_s = 1.5", load=GENTLE
    )
    assert figures["ddl_s"] > 1
    assert figures["longest_transaction_ms"] > 500
    # Behind the statement, which waits for the open transaction, one statement takes nearly all the time.
    assert 500 < figures["longest_statement_ms"] <= figures["longest_transaction_ms"]


def test_a_schema_change_of_an_idle_server_is_its_own_time(assay: Assay, tmp_path: Path) -> None:
    figures = measured(assay, tmp_path, "schema-change", measure="6s", options="idle = true", load=GENTLE)
    assert figures.keys() == {"ddl_s", "table_growth_bytes", "temporary_bytes"}
    assert figures["table_growth_bytes"] > 0


@pytest.mark.long
def test_a_copied_table_takes_its_room_twice(assay: Assay, tmp_path: Path) -> None:
    statement = "ALTER TABLE sbtest1 ENGINE = InnoDB"
    options = f'statement = "{statement}"\nalgorithm = "COPY"'
    # So many that the copy is there for several looks at the disk.
    figures = measured(
        assay, tmp_path, "schema-change", measure="6s", options=options, rows="60_000", load=GENTLE
    )
    # Rows of 190 bytes and their index, at the least half of them by the last look.
    assert figures["temporary_bytes"] > 6_000_000


@pytest.mark.long
def test_buffer_pool_warmth(assay: Assay, tmp_path: Path) -> None:
    figures = measured(assay, tmp_path, "buffer-pool-warmth", measure="6s", options='start = "dumped"')
    assert figures["steady_tps"] > 0
    assert 0 <= figures["warm_s"] <= 4


@pytest.mark.long
def test_connection_storm(assay: Assay, tmp_path: Path) -> None:
    figures = measured(assay, tmp_path, "connection-storm", measure="2s", options="idle = 20")
    assert figures["connects_per_s"] > 10
    assert figures["connect_p99_ms"] >= figures["connect_mean_ms"] / 10


@pytest.mark.long
def test_open_transactions(assay: Assay, tmp_path: Path) -> None:
    figures = measured(assay, tmp_path, "open-transactions", measure="2s", options="transactions = 40")
    assert figures["open_transactions"] == 40
    assert figures["tps_with_open_pct"] > 0
    (record,) = tmp_path.glob("results/runs/*/rungs/*/found.json")
    assert json.loads(record.read_text())[0]["facts"] == {}


def test_a_running_server_is_no_subject_of_an_experiment(assay: Assay, tmp_path: Path) -> None:
    study = tmp_path / "experiment.toml"
    text = study_text("crash-recovery", measure="1s")
    study.write_text(
        text.replace('"mariadb"', '"dsn:mysql://root@127.0.0.1:3306/x"').replace("variables", "# variables")
    )
    done = assay("run", str(study), "--results", str(tmp_path / "results"))
    assert done.code == 2
    assert "needs a server of its own" in done.err


@pytest.mark.long
def test_replication_leaves_copies(assay: Assay, tmp_path: Path) -> None:
    figures = measured(
        assay,
        tmp_path,
        "replication",
        options='replicas = 2\npositions = "file"',
        load=GENTLE,
        variables=AT_EASE,
    )
    assert (figures["differing_tables"], figures["broken_replicas"]) == (0, 0)
    assert 0 < figures["commit_mean_ms"] <= figures["longest_commit_ms"]
    assert 0 < figures["lag_mean_ms"] <= figures["lag_max_ms"]
    assert not {"fall_back_s", "catch_up_s", "missing_commits"} & figures.keys()


@pytest.mark.long
def test_a_semi_synchronous_source_goes_on_without_its_replicas(assay: Assay, tmp_path: Path) -> None:
    options = 'mode = "semi-sync"\nfault = "replica-pause"\ntimeout_ms = 500\npause_s = 1.5\ndelay_ms = 2.0'
    figures = measured(
        assay,
        tmp_path,
        "replication",
        measure="6s",
        options=options,
        reported=True,
        load=GENTLE,
        variables=AT_EASE,
    )
    assert figures["commit_mean_ms"] >= 4  # there and back
    assert figures["longest_commit_ms"] >= 250  # the time that is up is that of the first commit to wait
    assert figures["fall_back_s"] >= 0.4
    assert figures["unacknowledged_commits"] > 0
    assert {"return_s", "catch_up_s"} <= figures.keys()
    assert figures["differing_tables"] == 0
    (record,) = (tmp_path / "results").glob("runs/*/rungs/*/found.json")
    names = [moment["name"] for moment in json.loads(record.read_text())[0]["moments"]]
    told = [name for name in names if name in ("replica stopped", "fell back", "replica started")]
    # A busy machine may fall back once more, afterwards or before.
    stopped = told.index("replica stopped")
    assert told[stopped : stopped + 3] == ["replica stopped", "fell back", "replica started"]
    assert "replication lag" in (tmp_path / "results" / "report.html").read_text()


@pytest.mark.long
def test_ctrl_c_does_not_wait_for_a_replica_that_is_away(
    start: Callable[..., Command], tmp_path: Path
) -> None:
    study, results = tmp_path / "experiment.toml", ResultsFolder(tmp_path / "results")
    options = 'mode = "semi-sync"\nfault = "replica-pause"\ntimeout_ms = 600_000\npause_s = 60.0'
    study.write_text(study_text("replication", measure="6s", options=options, load=GENTLE, variables=AT_EASE))
    lab = start("run", str(study), "--results", str(results.path), "--no-report")
    kept = results.runs
    wait_for(lambda: any(b'"measure"' in one.read_bytes() for one in kept.glob(".*/rungs/*/events.jsonl")))
    time.sleep(4)  # a third into the window the receivers are stopped
    lab.send_signal(signal.SIGINT)
    _, err = lab.communicate(timeout=90)
    assert lab.returncode == 130
    assert "Traceback" not in err


@pytest.mark.long
def test_a_killed_replica_catches_up(assay: Assay, tmp_path: Path) -> None:
    options = 'fault = "replica-kill"\npause_s = 0.5'
    figures = measured(
        assay, tmp_path, "replication", measure="6s", options=options, load=GENTLE, variables=AT_EASE
    )
    assert figures["catch_up_s"] > 0
    assert figures["lag_max_ms"] >= 500
    assert (figures["differing_tables"], figures["broken_replicas"]) == (0, 0)


@pytest.mark.long
def test_a_replica_that_is_no_copy_is_found_out(assay: Assay, tmp_path: Path) -> None:
    spoiler = threading.Thread(target=spoil, args=(tmp_path / "results",))
    spoiler.start()
    figures = measured(assay, tmp_path, "replication", measure="6s", load=GENTLE, variables=AT_EASE)
    spoiler.join()
    assert figures["broken_replicas"] == 1
    assert figures["differing_tables"] >= 1


def spoil(results: Path) -> None:
    """Gives the replica a number of the ledger's future, so that its applier meets it twice."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        time.sleep(0.1)
        for options in results.glob("runs/.b01*/replica-1.cnf"):
            lines = options.read_text().splitlines()
            socket = next((line for line in lines if line.startswith("socket=")), None)
            if socket is None:  # it is half written
                continue
            with (
                suppress(pymysql.err.MySQLError),
                pymysql.connect(
                    unix_socket=socket.partition("=")[2], user="root", database="assay", autocommit=True
                ) as replica,
                replica.cursor() as cursor,
            ):
                cursor.execute("SELECT MAX(id) FROM assay_ledger")
                row = cursor.fetchone()
                if row and row[0]:
                    cursor.execute(f"INSERT INTO assay_ledger VALUES ({row[0] + 50})")
                    return


@pytest.mark.long
@pytest.mark.parametrize("mode", ["async", "semi-sync"])
def test_a_lost_source(assay: Assay, tmp_path: Path, mode: str) -> None:
    options = f'mode = "{mode}"\nfault = "source-kill"\ndelay_ms = 50.0\nledger_sessions = 2'
    figures = measured(assay, tmp_path, "replication", options=options, load=GENTLE, variables=AT_EASE)
    assert figures["acknowledged"] > 0
    # What is under way is lost with the source; a receipt is not given for it.
    assert (figures["missing_commits"] > 0) == (mode == "async")


def test_a_study_cannot_take_the_binary_log_away(assay: Assay, tmp_path: Path) -> None:
    study = tmp_path / "experiment.toml"
    text = study_text("replication", measure="1s")
    study.write_text(text.replace("variables = { ", 'variables = { log_bin = "OFF", '))
    done = assay("run", str(study), "--results", str(tmp_path / "results"))
    assert done.code == 2
    assert "log_bin is set by the replication experiment itself" in done.err


@pytest.mark.long
@pytest.mark.parametrize("heartbeat_s", [0.0, 0.2])
def test_an_idle_source_is_told_from_a_frozen_one(assay: Assay, tmp_path: Path, heartbeat_s: float) -> None:
    options = f'fault = "source-freeze"\nnet_timeout_s = 1\nheartbeat_s = {heartbeat_s}'
    figures = measured(
        assay, tmp_path, "replication", measure="4s", options=options, load=GENTLE, variables=AT_EASE
    )
    assert figures.keys() == {"relay_rotations", "detect_s", "reconnect_s"}
    if not heartbeat_s:
        assert figures["relay_rotations"] > 0  # silence is taken for the end


@pytest.mark.long
def test_ctrl_c_ends_a_statement_under_load_that_waits_for_a_lock(
    start: Callable[..., Command], tmp_path: Path
) -> None:
    """The statement waits for a transaction that stays open for an hour, and the load for the statement."""
    study, results = tmp_path / "experiment.toml", ResultsFolder(tmp_path / "results")
    options = 'statement = "ALTER TABLE sbtest1 ADD COLUMN extra INT"\nopen_transaction_s = 3000.0'
    study.write_text(study_text("schema-change", measure="9s", options=options))
    lab = start("run", str(study), "--results", str(results.path), "--no-report")
    running = results.runs
    wait_for(lambda: any(b'"measure"' in one.read_bytes() for one in running.glob(".*/rungs/*/events.jsonl")))
    time.sleep(5)  # a third into the window the statement begins
    lab.send_signal(signal.SIGINT)
    _, said = lab.communicate(timeout=PATIENCE_S)
    assert lab.returncode == 130, said
    assert "Interrupted: 0 of 1 runs are finished" in said
