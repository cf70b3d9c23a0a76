"""Lines of time and waits from the files of a profile window."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.folder import (
    CountedStatement,
    CountedWait,
    CountedWaits,
    ProfileWindow,
    RunFolder,
    ScheduledThreads,
    Stretch,
    write_packed,
    write_window,
)
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.ledger import MeasuredLoad, watched_load
from assay.results.ledger.waits.counted import counted_groups, group_of
from assay.results.ledger.waits.rules import groups, line_names
from assay.results.ledger.waits.time_ledger import (
    CHECKPOINT,
    CLIENT,
    EITHER,
    LAG,
    NO_THREAD,
    ON_CPU,
    PREEMPTED,
    QUEUE,
    RUNNABLE,
    THINK,
    THROTTLED,
    WOKEN,
)

STRETCH = Stretch(begin_wall_ns=0, end_wall_ns=5 * 10**9, queries=4000, transactions=200)
MEASURED = MeasuredLoad(2.0, "threads", {"tps": 50.0})


def test_what_a_server_counted_becomes_lines_of_a_transaction(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path).rung_at("rungs/01-threads-2").profile
    folder.path.mkdir(parents=True)
    write_window(folder, ProfileWindow(main=STRETCH, counting=STRETCH))
    statement = CountedStatement(text="SELECT ?", count=200, ns=4e8, rows_examined=2000, rows_sent=200)
    counted = CountedWaits(
        window_ns=5 * 10**9,
        waits=[CountedWait("wait/synch/mutex/innodb/trx_mutex", 10, 2e8), CountedWait("wait/other", 1, 1e9)],
        statements=[statement],
        timed=["wait/lock/metadata/sql/mdl", "wait/synch/mutex/innodb/trx_mutex", "wait/new/kind"],
        metrics=[
            CountedWait("index_page_splits", 600),
            CountedWait("lock_rec_lock_requests", 0),
            CountedWait("some_new_metric", 5),
        ],
    )
    write_packed(folder, "waits", counted)
    schedule = ScheduledThreads(window_ns=10**9, threads=2, on_cpu_ns=5 * 10**8, delayed_ns=10**9)
    write_packed(folder, "schedstat", schedule)

    found = watched_load(RunFolder(tmp_path).rung_at("rungs/01-threads-2"), MEASURED)
    assert found is not None
    lines = {(one.ledger, one.group, one.line): (one.amount, one.unit) for one in found.lines}
    assert lines == {
        ("time", "on-cpu", ""): (10_000.0, "us"),
        ("time", "runnable", ""): (20_000.0, "us"),
        ("time", "unnamed", ""): (10_000.0, "us"),
        ("time", "unnamed", "no-switches"): (0.0, "us"),
        ("waits", "latches", "wait/synch/mutex/innodb/trx_mutex"): (1000.0, "us"),
        ("counts", "metrics", "index_page_splits"): (3.0, "count"),
        ("counts", "metrics", "lock_rec_lock_requests"): (0.0, "count"),
        ("waits", "statement", "SELECT ?"): (2000.0, "us"),
        ("counts", "statements", "SELECT ?"): (1.0, "count"),
        ("waits", "table-locks", ""): (0.0, "us"),
        ("counts", "statement-rows-examined", "SELECT ?"): (10.0, "rows"),
        ("counts", "statement-rows-sent", "SELECT ?"): (1.0, "rows"),
    }


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("wait/io/file/innodb/innodb_log_file", "redo-log-io"),
        ("wait/io/file/innodb/innodb_data_file", "data-file-io"),
        ("wait/io/file/sql/binlog", "binary-log-io"),
        ("wait/io/file/csv/data", "other-file-io"),
        ("wait/lock/metadata/sql/mdl", "table-locks"),
        ("wait/synch/cond/sql/COND_queue_state", "conditions"),
        ("idle", "client"),
        ("lock_deadlocks", None),
    ],
)
def test_an_event_has_its_group(name: str, group: str | None) -> None:
    assert group_of(name) == group
    assert group is None or group in counted_groups()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_group_and_line_of_waits_has_a_name(language: str) -> None:
    words = load_words(language)
    for group in (*groups(), *counted_groups(), ON_CPU, RUNNABLE, CLIENT, QUEUE):
        assert words.get(f"ledger.group.{group}", ""), group
    for line in (*line_names(), CHECKPOINT, LAG, NO_THREAD, EITHER, PREEMPTED, WOKEN, THROTTLED, THINK):
        assert words.get(f"ledger.line.{line.replace(' ', '-')}", ""), line
