"""What a server counts of its own waits, and that all its settings are as before afterwards."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from assay.results.ledger.waits.counted import metric_names
from assay.system.server import Connection, Instance, WaitCounter, connection_threads, purge_lags

pytestmark = pytest.mark.live

_SETTINGS = (
    "SELECT NAME, ENABLED FROM performance_schema.setup_consumers ORDER BY NAME",
    "SELECT CONCAT_WS(' ', NAME, ENABLED), TIMED FROM performance_schema.setup_instruments ORDER BY NAME",
    "SELECT NAME, ENABLED FROM information_schema.INNODB_METRICS ORDER BY NAME",
)


def _settings(connection: Connection) -> list[list[tuple[object, ...]]]:
    return [connection.rows(query, columns=2) for query in _SETTINGS]


def test_waits_and_statements_are_counted_and_every_setting_is_put_back(
    new: Callable[..., Instance],
) -> None:
    server = new({"performance_schema": "ON"})
    server.start()
    with closing(server.connect()) as lab, closing(server.connect()) as load:
        load.select_db("assay")
        load.rows("CREATE TABLE counted (id INT PRIMARY KEY, n INT) ENGINE = InnoDB", columns=0)
        before = _settings(lab)
        counter = WaitCounter(lab, may_change=True)
        counter.begin()
        assert counter.has_schema
        assert counter.switched > 100
        for number in range(20):
            load.rows(f"INSERT INTO counted VALUES ({number}, 1)", columns=0)
            load.rows(f"SELECT n FROM counted WHERE n = {number}")
        found = counter.end()
        assert _settings(lab) == before

        by_text = {one.text: one for one in found.statements}
        scan = next(one for text, one in by_text.items() if text.startswith("SELECT n FROM counted WHERE n"))
        assert scan.count == 20
        assert scan.rows_examined == sum(range(1, 21)), "each looks at all rows so far"
        assert 0 < scan.ns < found.window_ns
        names = {one.name for one in found.waits}
        assert any(name.startswith("wait/synch/") for name in names), "off unless it is switched on"
        assert names <= set(found.timed or ()), "what grew was counted"
        assert "wait/io/table/sql/handler" in names
        metrics = {one.name: one.count for one in found.metrics}
        assert any(name == "trx_rw_commits" or name.startswith("dml_") for name in metrics)
        assert metric_names() <= metrics.keys(), "off by default, and those that did not grow are there"
        assert metrics["compress_pages_compressed"] == 0

        only_looking = WaitCounter(lab, may_change=False)
        only_looking.begin()
        load.rows("SELECT 1")
        assert only_looking.switched == 0
        looked = only_looking.end()
        assert not any(one.name.startswith("wait/synch/") for one in looked.waits)
        assert looked.timed
        assert not any(name.startswith("wait/synch/mutex/innodb/") for name in looked.timed)

        ((thread, wait),) = connection_threads(lab).items()
        assert wait == "client"
        assert Path(f"/proc/{server.pid}/task/{thread}").is_dir(), "the lab's own has no database"

        assert purge_lags(lab) is False, "without a limit the history is never too long"
        with closing(server.connect()) as old:
            old.rows("START TRANSACTION WITH CONSISTENT SNAPSHOT", columns=0)
            load.rows("UPDATE counted SET n = n + 1 WHERE n > 0", columns=0)
            load.rows("UPDATE counted SET n = n + 1 WHERE n > 0", columns=0)
            lab.rows("SET GLOBAL innodb_max_purge_lag = 1", columns=0)
            assert purge_lags(lab) is True
            lab.rows("SET GLOBAL innodb_max_purge_lag = 1000000", columns=0)
            assert purge_lags(lab) is None, "no word: it may have been too long an instant ago"
