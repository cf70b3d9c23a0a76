"""A server's status: counters and gauges, facts, and a server that does not answer."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest
from assay.base.errors import ServerError, ServerLost
from assay.system.server import Instance, StatusSource, server_facts
from assay.system.server.gauges import is_gauge

pytestmark = pytest.mark.live


def test_counters_and_gauges(mariadb: Instance) -> None:
    with contextlib.closing(mariadb.connect()) as connection:
        source = StatusSource(connection)
        deadline = time.monotonic() + 10  # the goodbye of an earlier connection is counted too
        while source.read()["Threads_connected"] > 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        first, second = source.read(), source.read()
    for counter in (
        "Questions",
        "Com_select",
        "Innodb_data_writes",
        "Innodb_os_log_written",
        "Uptime",
        "Bytes_sent",
    ):
        assert second[f"{counter}_total"] >= first[f"{counter}_total"]
        assert counter not in first
    for gauge in ("Threads_running", "Innodb_buffer_pool_pages_dirty", "Innodb_history_list_length"):
        assert gauge in first
    assert second["trx_rseg_history_len"] >= 0
    assert second["log_writes_total"] >= first["log_writes_total"]
    # Its own statements can be taken off: nobody else asks anything meanwhile.
    own = second["_assay_statements_total"] - first["_assay_statements_total"]
    assert own == 2
    assert second["Questions_total"] - first["Questions_total"] == own


def test_no_counter_of_a_server_falls(mariadb: Instance) -> None:
    """What is called a counter must not go down while tables come and go."""
    with (
        contextlib.closing(mariadb.connect()) as watcher,
        contextlib.closing(mariadb.connect()) as connection,
    ):
        source = StatusSource(watcher)
        connection.select_db("assay")  # sequence tables need one
        before = source.read()
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE assay.gauge_probe (id INT PRIMARY KEY, c CHAR(200))")
            for step in range(3):
                cursor.execute(
                    "INSERT INTO assay.gauge_probe"
                    f" SELECT seq, REPEAT('x', 200) FROM seq_{step * 1000}_to_{step * 1000 + 999}"
                )
                middle = source.read()
                cursor.execute("DELETE FROM assay.gauge_probe")
                after = source.read()
                for earlier, later in ((before, middle), (middle, after)):
                    fell = {n for n in earlier if n.endswith("_total") and later.get(n, 0) < earlier[n]}
                    assert fell == set()
                before = after
            cursor.execute("DROP TABLE assay.gauge_probe")


def test_a_server_that_has_gone(new: Callable[..., Instance]) -> None:
    server = new()
    with server, contextlib.closing(server.connect()) as connection:
        source = StatusSource(connection)
        server.stop()
        with pytest.raises(ServerLost):
            source.read()


def test_a_connection_that_was_cut_is_one_gap(mariadb: Instance) -> None:
    connection = mariadb.connect()
    source = StatusSource(connection)
    with contextlib.closing(mariadb.connect()) as other, other.cursor() as cursor:
        cursor.execute("KILL CONNECTION %s", (connection.thread_id(),))
    with pytest.raises(ServerError, match="status reading lost"):
        source.read()
    assert source.read()["Uptime_total"] >= 0
    source.close()


def test_facts(mariadb: Instance) -> None:
    with contextlib.closing(mariadb.connect()) as connection:
        facts = server_facts(connection)
    variables, engines, origins = facts["variables"], facts["engines"], facts["variable_origins"]
    assert isinstance(variables, dict)
    assert isinstance(engines, dict)
    assert isinstance(origins, dict)
    assert "MariaDB" in str(facts["version"])
    assert variables["innodb_buffer_pool_size"] == str(64 << 20)
    assert engines["InnoDB"] == "DEFAULT"
    assert origins["innodb_buffer_pool_size"] == "CONFIG"
    assert len(origins) < len(variables) / 4


def test_kinds_of_waits_that_are_counted(new: Callable[..., Instance]) -> None:
    for performance_schema in (False, True):
        with new({"performance_schema": performance_schema}) as server:
            with contextlib.closing(server.connect()) as connection:
                found = server_facts(connection)["wait_instruments"]
            assert isinstance(found, int)
            assert (found > 0) is performance_schema


@pytest.mark.parametrize(
    "name", ["Threads_connected", "Innodb_checkpoint_age", "Innodb_row_lock_current_waits"]
)
def test_levels(name: str) -> None:
    assert is_gauge(name)


@pytest.mark.parametrize("name", ["Questions", "Innodb_data_written", "Opened_tables", "Innodb_log_waits"])
def test_counts(name: str) -> None:
    assert not is_gauge(name)
