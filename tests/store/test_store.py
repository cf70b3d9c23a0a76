"""Run folders become tables that agree with what was written."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import duckdb
import numpy as np
import pytest
from assay.base.errors import InputError
from assay.design.folder import (
    Hello,
    Interval,
    LoadPlans,
    PlanStep,
    ResultsFolder,
    RunResult,
    StatementPlan,
    read_events,
    write_plans,
)
from assay.results.store import build, build_store, open_store, views
from assay.results.store.tables import TABLES
from assay.testing.results_folder import Truth, make_results
from hdrh.histogram import HdrHistogram
from msgspec.structs import replace


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    made = make_results(
        tmp_path_factory.mktemp("store") / "study's results",
        blocks=2,
        loads=(1, 8),
        effect=1.3,
        truth=Truth(deadlocks=2.0, measure_s=12, warmup_s=3),
        fail=[(2, "innodb_purge_threads=4")],
    )
    build_store(made)
    return made


@pytest.fixture(scope="module")
def store(folder: ResultsFolder) -> duckdb.DuckDBPyConnection:
    return open_store(folder)


def one(store: duckdb.DuckDBPyConnection, sql: str, *values: object) -> tuple[object, ...]:
    row = store.execute(sql, list(values)).fetchone()
    assert row is not None
    return row


def result_of(folder: ResultsFolder, load: int) -> tuple[str, RunResult, list[Interval]]:
    run = next(folder.finished_runs())
    number = {1: 1, 8: 2}[load]
    events = list(read_events(run.rung(number, "threads", load).events))
    result = next(event for event in events if isinstance(event, RunResult))
    return run.path.name, result, [event for event in events if isinstance(event, Interval)]


def test_a_table_without_rows_has_its_columns_and_no_file(
    folder: ResultsFolder, store: duckdb.DuckDBPyConnection
) -> None:
    written = {path.name.partition(".")[0] for path in folder.store.glob("part-*/*.parquet")}
    assert "plans" in TABLES.keys() - written
    for table, kinds in TABLES.items():
        described = store.execute(f"DESCRIBE {table}").fetchall()
        assert {name: kind for name, kind, *_ in described} == kinds
        count = one(store, f"SELECT count(*) FROM {table}")
        assert (count == (0,)) is (table not in written), table


def test_measures_are_those_of_the_recorded_result(
    folder: ResultsFolder, store: duckdb.DuckDBPyConnection
) -> None:
    run, result, _ = result_of(folder, 8)
    query = "SELECT measure, value FROM measures WHERE run_id = ? AND load = 8"
    measures = dict(store.execute(query, [run]).fetchall())
    histogram = HdrHistogram.decode(result.labels["transaction"].service)
    assert measures["tps"] == result.transactions / 12
    assert measures["qps"] == result.queries / 12
    assert measures["p99_9_ms"] == pytest.approx(histogram.get_value_at_percentile(99.9) / 1e6, rel=0.005)
    assert measures["mean_ms"] == pytest.approx(histogram.get_mean_value() / 1e6)
    assert measures["min_ms"] == histogram.get_min_value() / 1e6
    assert measures["max_ms"] == histogram.get_max_value() / 1e6
    assert measures["errors_per_s"] == pytest.approx(result.errors[1213] / 12)


def test_costs_are_the_planted_ones(store: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT measure, unit, min(value), max(value) FROM measures GROUP BY ALL"
    found = {measure: (unit, low, high) for measure, unit, low, high in store.execute(query).fetchall()}
    for measure, unit, value in (
        ("Innodb_data_writes_per_query", "/query", 3.5 / 20),
        ("server_cpu_us_per_query", "us", 950 / 20),
        ("context_switches_per_query", "/query", 45 / 20),
        ("disk_write_bytes_per_query", "B", 9000 / 20),
        ("Questions_per_query", "/query", 1.0),  # the sampler's own statements taken off
    ):
        # Deadlocks, drawn at random, blur the server's count by one in ten thousand.
        assert found[measure] == (unit, pytest.approx(value, rel=3e-4), pytest.approx(value, rel=3e-4))


def test_a_failed_run_is_told_and_measures_nothing(store: duckdb.DuckDBPyConnection) -> None:
    run, status, kind = one(
        store, "SELECT run_id, status, failure_kind FROM runs WHERE block = 2 AND treatment LIKE '%=4'"
    )
    assert (status, kind) == ("failed", "ServerLost")
    assert one(store, "SELECT count(*) FROM measures WHERE run_id = ?", run) == (0,)
    rungs = store.execute("SELECT load, complete FROM rungs WHERE run_id = ? ORDER BY rung", [run]).fetchall()
    assert rungs == [(1.0, True), (8.0, False)]
    assert one(store, "SELECT count(*) > 0 FROM intervals WHERE run_id = ? AND load = 8", run) == (True,)


def test_the_time_line_begins_at_the_measured_window(
    folder: ResultsFolder, store: duckdb.DuckDBPyConnection
) -> None:
    run, result, intervals = result_of(folder, 8)
    rows = store.execute(
        "SELECT phase, t_s, tps, p95_ms FROM intervals WHERE run_id = ? AND load = 8 ORDER BY t_s", [run]
    ).fetchall()
    assert [row[1] for row in rows] == [float(t) for t in range(-3, 12)]
    assert [row[0] for row in rows] == ["warmup"] * 3 + ["measure"] * 12
    assert sum(row[2] for row in rows if row[0] == "measure") == result.transactions
    first = HdrHistogram.decode(intervals[0].labels["transaction"].service)
    assert rows[0][3] == pytest.approx(first.get_value_at_percentile(95) / 1e6, rel=0.005)
    heat = "SELECT first, counts, max_ms FROM heat WHERE run_id = ? AND load = 8 ORDER BY t_s LIMIT 1"
    at, counts, longest = one(store, heat, run)
    assert sum(counts) == first.get_total_count()  # type: ignore[arg-type, call-overload]
    assert longest == pytest.approx(first.get_max_value() / 1e6, rel=0.005)
    assert 0.01 * 10 ** (at / 12) <= first.get_min_value() / 1e6 * 1.01  # type: ignore[operator]
    start, end = one(store, "SELECT start_ns, end_ns FROM rungs WHERE run_id = ? AND load = 8", run)
    assert end - start == 12_000_000_000  # type: ignore[operator]


def test_rates_are_per_second_and_stay_inside_the_load(store: duckdb.DuckDBPyConnection) -> None:
    rows = store.execute(
        "SELECT r.t_s, r.value FROM rates r JOIN runs USING (run_id)"
        " WHERE runs.status = 'complete' AND load = 8 AND name = 'Innodb_data_fsyncs'"
    ).fetchall()
    assert {round(value, 9) for _, value in rows} == {2.0}
    assert min(t for t, _ in rows) > -3
    assert max(t for t, _ in rows) <= 12
    gauges = one(store, "SELECT min(value), max(value) FROM rates WHERE name = 'server.rss_bytes'")
    assert gauges == (4.5e8, 4.5e8)


def test_levels_facts_errors_and_histograms(store: duckdb.DuckDBPyConnection) -> None:
    assert store.execute("SELECT treatment, level FROM levels ORDER BY 1").fetchall() == [
        ("innodb_purge_threads=1", "1"),
        ("innodb_purge_threads=4", "4"),
    ]
    keys = {"cpu.model": "Synthetic CPU @ 2.60GHz", "disks.vda.rotational": "false"}
    for key, value in keys.items():
        query = "SELECT DISTINCT value FROM facts WHERE scope = 'host' AND moment = 'before' AND key = ?"
        assert one(store, query, key) == (value,)
    session = "SELECT DISTINCT key, value FROM facts WHERE scope = 'session' AND moment = 'before' ORDER BY 1"
    assert store.execute(session).fetchall() == [("autocommit", "ON"), ("time_zone", "+00:00")]
    settings = "SELECT DISTINCT moment, value FROM facts WHERE scope = 'setting' AND key = ? ORDER BY 1"
    assert store.execute(settings, ["vm.swappiness this machine"]).fetchall() == [("set", "1"), ("was", "60")]
    assert one(store, "SELECT DISTINCT code FROM error_counts") == (1213,)
    labels = one(store, "SELECT count(DISTINCT label), count(DISTINCT kind) FROM histograms")
    assert labels == (12, 1)


def test_who_measured_whom_where_stands_beside_each_run(store: duckdb.DuckDBPyConnection) -> None:
    columns = (
        "server_flavour, server_version, server_binary, server_sha256, server_address,"
        " host, processor, kernel, dataset, assay, engine, python"
    )
    server = ("mariadb", "10.11.14", "/usr/sbin/mariadbd", hashlib.sha256(b"10.11.14").hexdigest(), None)
    others = (None, "Synthetic CPU @ 2.60GHz", "6.1.0", "oltp-4x250000", "0.1.0", "0.1.0", "3.11.2")
    assert store.execute(f"SELECT DISTINCT {columns} FROM runs").fetchall() == [server + others]
    assert one(store, "SELECT name, seed, assay FROM study") == ("purge-threads", 1, "0.1.0")


def test_the_sources_of_every_number_are_there(
    folder: ResultsFolder, store: duckdb.DuckDBPyConnection
) -> None:
    files = store.execute("SELECT manifest FROM runs UNION ALL SELECT events FROM rungs").fetchall()
    assert len(files) == 12
    assert all((folder.path / file).is_file() for (file,) in files)
    assert one(store, "SELECT text FROM study") == (folder.study_file.read_text(encoding="utf-8"),)


def test_jobs_of_a_load_on_files_say_what_they_do(tmp_path: Path) -> None:
    made = make_results(tmp_path, blocks=1, loads=(1,), truth=Truth(measure_s=2, warmup_s=0))
    access = {"order": "random", "read_share": 0.0, "read_blocks": 4096, "write_blocks": 8192}
    jobs = [
        {"name": "queued", "access": access, "io": {"kind": "io_uring", "direct": True}, "depth": 8},
        {"access": access, "io": {"kind": "psync"}, "clones": 3, "depth": 8, "sync": {"writes": 1}},
    ]
    run = next(made.finished_runs())
    run.rung(1, "threads", 1).job.write_text(json.dumps({"storage": jobs}))
    build_store(made)
    columns = "number, name, random, block_bytes, direct, sync_writes, in_flight"
    found = open_store(made).execute(f"SELECT {columns} FROM file_jobs ORDER BY number").fetchall()
    assert found == [(1, "queued", True, 8192, True, None, 8), (2, "", True, 8192, False, 1, 3)]


def test_a_second_build_does_nothing_and_a_new_run_is_noticed(folder: ResultsFolder) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.store.iterdir()}
    build_store(folder)
    assert {path: path.stat().st_mtime_ns for path in folder.store.iterdir()} == before
    manifest = next(folder.finished_runs()).manifest
    os.utime(manifest, ns=(1, manifest.stat().st_mtime_ns + 1))
    build_store(folder)
    assert {path: path.stat().st_mtime_ns for path in folder.store.iterdir()} != before


def parts(folder: ResultsFolder) -> set[str]:
    return {path.name for path in folder.store.glob("part-*")}


def test_only_the_runs_that_changed_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MOST_ROWS", 0)  # each run is a part
    made = make_results(tmp_path, blocks=2, loads=(1,), truth=Truth(measure_s=2, warmup_s=0))
    build_store(made)
    before = parts(made)
    first, second, third, _ = made.finished_runs()
    first.server_log.write_text("one line more", encoding="utf-8")
    third.path.rename(made.runs / f".{third.path.name}.failed-1")
    build_store(made)
    now = parts(made)
    # With that of the study itself, which is made anew: it has what was set aside.
    assert (len(before), len(now), len(now & before)) == (5, 4, 2)
    assert store_has(made, third.path.name) == 0
    assert store_has(made, second.path.name) == 1
    shutil.rmtree(second.path)
    build_store(made)
    assert parts(made) < now
    assert store_has(made, second.path.name) == 0


def store_has(folder: ResultsFolder, run: str) -> object:
    with open_store(folder) as store:
        return one(store, "SELECT count(*) FROM runs WHERE run_id = ?", run)[0]


def test_a_build_that_fails_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    made = make_results(tmp_path, blocks=1, loads=(1,), truth=Truth(measure_s=2, warmup_s=0))
    build_store(made)
    before = parts(made)
    first, last = made.finished_runs()
    first.server_log.write_text("one line more", encoding="utf-8")
    last.manifest.write_text("no manifest", encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.json is damaged"):
        build_store(made)
    assert parts(made) == before
    assert store_has(made, last.path.name) == 1


def test_leftovers_of_a_killed_build_do_no_harm(tmp_path: Path) -> None:
    made = make_results(tmp_path, blocks=1, loads=(1,), truth=Truth(measure_s=2, warmup_s=0))
    (tmp_path / "store" / "part-killed").mkdir(parents=True)
    (tmp_path / "store" / "part-killed" / "runs.parquet").write_bytes(b"half")
    (tmp_path / "store" / "runs.parquet").write_bytes(b"of an earlier assay")
    (made.runs / ".b09-01-x.unfinished").mkdir()
    build_store(made)
    assert open_store(made).execute("SELECT count(*) FROM runs").fetchone() == (2,)
    assert "part-killed" not in parts(made)
    assert not (made.store / "runs.parquet").exists()


def test_no_run_at_all_gives_empty_tables(tmp_path: Path) -> None:
    empty = ResultsFolder(tmp_path)
    build_store(empty)
    assert open_store(empty).execute("SELECT count(*) FROM rates").fetchone() == (0,)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    made = make_results(tmp_path, blocks=1, loads=(1,), truth=Truth(measure_s=2, warmup_s=0))
    events = next(made.finished_runs()).rung(1, "threads", 1).events
    first, *others = events.read_text(encoding="utf-8").splitlines(keepends=True)
    events.write_text("".join([first, '{"event": "hello"}\n', *others]), encoding="utf-8")
    with pytest.raises(InputError, match=r"events\.jsonl is damaged"):
        build_store(made)


def test_samples_with_gaps_names_that_come_late_and_counters_that_restart(tmp_path: Path) -> None:
    made = make_results(tmp_path, blocks=1, loads=(1,), truth=Truth(measure_s=10, warmup_s=0))
    run = next(made.finished_runs())
    lines = [json.loads(line) for line in run.samples("status").read_text().splitlines()]
    del lines[6]
    for line in lines[5:]:
        line["values"]["Late_total"] = line["wall_ns"] / 1e9
    for line in lines[8:]:
        line["values"]["Innodb_data_fsyncs_total"] = 0.0
    text = "\n".join(map(json.dumps, lines)) + '\n{"wall_ns": 17500'  # cut short by a kill
    run.samples("status").write_text(text, encoding="utf-8")
    build_store(made)
    store = open_store(made)
    where = f"run_id = '{run.path.name}' AND source = 'status'"
    late = store.execute(f"SELECT value FROM rates WHERE {where} AND name = 'Late'").fetchall()
    assert late
    assert np.allclose([value for (value,) in late], 1.0)
    restarted = store.execute(f"SELECT min(value) FROM rates WHERE {where} AND name = 'Innodb_data_fsyncs'")
    assert restarted.fetchone() == (0.0,)
    assert store.execute(
        f"SELECT count(*) FROM samples WHERE {where} AND name = 'Late_total'"
    ).fetchone() == (len(lines) - 5,)


def test_an_open_loop_reports_response_times(tmp_path: Path) -> None:
    made = make_results(tmp_path, blocks=1, loads=(1,), truth=Truth(measure_s=2, warmup_s=0))
    events = next(made.finished_runs()).rung(1, "threads", 1).events
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    slow = HdrHistogram(1, 3_600_000_000_000, 3)
    slow.record_value(5_000_000_000)
    for line in lines:
        for times in line.get("labels", {}).values():
            times |= {"response": slow.encode().decode(), "wait": slow.encode().decode()}
    events.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    build_store(made)
    store = open_store(made)
    run = next(made.finished_runs()).path.name
    p50 = store.execute(
        "SELECT value FROM measures WHERE run_id = ? AND measure = 'p50_ms'", [run]
    ).fetchone()
    assert p50 == (pytest.approx(5000, rel=0.001),)
    kinds = store.execute("SELECT DISTINCT kind FROM histograms WHERE run_id = ?", [run]).fetchall()
    assert {kind for (kind,) in kinds} == {"service", "wait", "response"}


def test_what_an_experiment_saw_over_time_stands_on_the_time_line_of_its_load(tmp_path: Path) -> None:
    made = make_results(tmp_path / "results", blocks=1, loads=(1,), effect=1.0, truth=Truth(measure_s=3))
    run, other = made.finished_runs()
    rung = run.rung(1, "threads", 1)
    events = list(read_events(rung.events))
    epoch = next(event.epoch_wall_ns for event in events if isinstance(event, Hello))
    start = epoch + next(event.start_ns for event in events if isinstance(event, RunResult))
    trace = {"name": "lag", "unit": "ms", "at_wall_ns": [start, start + 500_000_000], "values": [2.5, 7.0]}
    moments = [{"name": "killed", "at_wall_ns": start + 1_000_000_000}]
    record = {"by": "replication", "moments": moments, "traces": [trace]}
    rung.found.write_text(json.dumps([record]))
    old = {"use": "replication", "options": {}, "figures": [], "moments": moments}  # before there were traces
    other.rung(1, "threads", 1).experiment.write_text(json.dumps(old))
    build_store(made)
    store = open_store(made)
    query = "SELECT run_id, name, unit, at_ns, t_s, value FROM traces ORDER BY at_ns"
    found = store.execute(query).fetchall()
    assert found == [
        (run.path.name, "lag", "ms", start, 0.0, 2.5),
        (run.path.name, "lag", "ms", start + 500_000_000, 0.5, 7.0),
    ]
    assert one(store, "SELECT count(*) FROM moments") == (2,)


def test_a_large_store_has_all_threads_of_duckdb(
    folder: ResultsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def threads(connection: duckdb.DuckDBPyConnection) -> object:
        return connection.execute("SELECT current_setting('threads')").fetchall()[0][0]

    build_store(folder)
    with open_store(folder) as small, duckdb.connect(":memory:") as usual:
        monkeypatch.setattr(views, "_SMALL_BYTES", 1)
        with open_store(folder) as large:
            assert (threads(small), threads(large)) == (1, threads(usual))


def test_plans_are_rows_in_their_order(tmp_path: Path) -> None:
    made = make_results(tmp_path / "results", blocks=1, loads=(1,))
    first, second = made.finished_runs()
    step = PlanStep(table="sbtest1", access="ALL", rows=20_000)
    scanned = StatementPlan(statement="SELECT ?", example="SELECT 1", count=3, steps=[step, step])
    write_plans(first, LoadPlans(statements=[scanned, replace(scanned, steps=[], refused="not here")]))
    write_plans(second, LoadPlans(unknown="the log cannot be read"))
    build_store(made)
    rows = (
        open_store(made)
        .execute("SELECT run_id, access, estimate, unknown FROM plans ORDER BY ALL")
        .fetchall()
    )
    assert rows == [
        (first.path.name, "ALL", 20_000, None),
        (first.path.name, "ALL", 20_000, None),
        (first.path.name, None, None, "not here"),
        (second.path.name, None, None, "the log cannot be read"),
    ]
