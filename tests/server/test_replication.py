"""Replication by version: the statements are right, missing parts are reported early, and a real replica
follows.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.errors import HostError, InputError, ServerError
from assay.system.server import Build, Instance
from assay.system.server.flavour import FLAVOURS
from assay.system.server.process.port import LOOPBACK
from assay.system.server.replication import (
    Replicating,
    finds_by_gtid,
    replication_of,
    replication_variables,
    require_semi_sync,
)
from assay.system.server.variables.catalogue import try_options
from assay.system.server.variables.check import check_variables


def build(flavour: str, version: tuple[int, ...]) -> Build:
    return Build(flavour, version, "", Path("/opt/sample/bin/mysqld"), Path("/opt/sample"), None)


@pytest.mark.parametrize(
    ("flavour", "version", "gtid", "statement"),
    [
        ("mysql", (5, 5, 9), False, "CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = 7"),
        ("mysql", (5, 6, 24), True, "MASTER_HEARTBEAT_PERIOD = 2.5, MASTER_AUTO_POSITION = 1"),
        ("mysql", (8, 0, 25), True, "CHANGE MASTER TO"),
        (
            "mysql",
            (8, 0, 26),
            True,
            "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 7",
        ),
        (
            "mysql",
            (9, 7, 4),
            True,
            "SOURCE_HEARTBEAT_PERIOD = 2.5, GET_SOURCE_PUBLIC_KEY = 1, SOURCE_AUTO_POSITION = 1",
        ),
        ("mariadb", (10, 1, 23), True, "CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = 7"),
        ("mariadb", (11, 4, 5), True, "MASTER_SSL_VERIFY_SERVER_CERT = 0, MASTER_USE_GTID = slave_pos"),
        ("mariadb", (11, 4, 5), False, "MASTER_USE_GTID = no"),
    ],
)
def test_each_version_is_told_in_its_own_words(
    flavour: str, version: tuple[int, ...], gtid: bool, statement: str
) -> None:
    said = Replicating(build(flavour, version), gtid=gtid).change(7, "pw", 2.5)
    assert statement in said
    assert "_PASSWORD = 'pw'" in said
    assert ("GTID" in said or "AUTO_POSITION" in said) or not gtid


@pytest.mark.parametrize(
    ("flavour", "version", "where", "source", "files"),
    [
        ("mysql", (5, 5, 9), "MASTER", "rpl_semi_sync_master", {"semisync_master.so", "semisync_slave.so"}),
        ("mysql", (8, 1, 0), "MASTER", "rpl_semi_sync_source", {"semisync_source.so", "semisync_replica.so"}),
        (
            "mysql",
            (9, 7, 4),
            "BINARY LOG",
            "rpl_semi_sync_source",
            {"semisync_source.so", "semisync_replica.so"},
        ),
        (
            "mariadb",
            (10, 2, 9),
            "MASTER",
            "rpl_semi_sync_master",
            {"semisync_master.so", "semisync_slave.so"},
        ),
        ("mariadb", (10, 3, 3), "MASTER", "rpl_semi_sync_master", set()),
    ],
)
def test_what_semi_synchronous_replication_is_made_of(
    flavour: str, version: tuple[int, ...], where: str, source: str, files: set[str]
) -> None:
    known = replication_of(build(flavour, version))
    assert known.where == f"SHOW {where} STATUS"
    assert known.semi_sync.source == source
    assert set(known.semi_sync.plugins.values()) == files


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_every_version_has_one_entry(flavour: str) -> None:
    for version in [
        (5, 1),
        (5, 5, 9),
        (5, 6, 8),
        (5, 6, 9),
        (8, 0, 26),
        (8, 2),
        (10, 0, 2),
        (10, 3, 3),
        (13,),
    ]:
        assert sum(entry.holds(version) for entry in FLAVOURS[flavour].replication) == 1, version


def test_gtid_where_there_is() -> None:
    assert not finds_by_gtid(build("mysql", (5, 5, 9)), "auto")
    assert finds_by_gtid(build("mysql", (5, 6, 24)), "auto")
    assert not finds_by_gtid(build("mysql", (5, 6, 24)), "file")
    with pytest.raises(InputError, match="has no GTIDs"):
        finds_by_gtid(build("mysql", (5, 5, 9)), "gtid")


@pytest.mark.live
def test_a_study_may_say_what_is_needed_by_another_name(mariadb_build: Build) -> None:
    needed = replication_variables(mariadb_build, {"binlog_format": "MIXED"}, server_id=2, gtid=True)
    assert needed == {"server_id": 2, "log_bin": "binlog", "log_slave_updates": "ON"}
    needed = replication_variables(mariadb_build, {"log_replica_updates": "OFF"}, server_id=2, gtid=True)
    assert "log_slave_updates" not in needed
    with pytest.raises(InputError, match="server-id is set by the replication experiment itself"):
        replication_variables(mariadb_build, {"server-id": 3}, server_id=1, gtid=True)


@pytest.mark.live
def test_a_plugin_that_is_not_there_is_named(mariadb_build: Build, tmp_path: Path) -> None:
    require_semi_sync(mariadb_build)  # built in
    old = Build("mariadb", (10, 2, 9), "", mariadb_build.mysqld, mariadb_build.basedir, None)
    with pytest.raises(HostError, match=r"semisync_master.so is not in /.*plugin"):
        require_semi_sync(old)


@pytest.mark.live
def test_a_binary_log_can_be_tried_out(mariadb_build: Build) -> None:
    check_variables(mariadb_build, {"log_bin": "binlog", "server_id": 1})
    assert try_options(mariadb_build, {"log_bin": "binlog"}).accepted
    with pytest.raises(ServerError, match="sync_binlog"):
        check_variables(mariadb_build, {"log_bin": "binlog", "sync_binlog": "sometimes"})


@pytest.mark.live
def test_a_replica_follows_and_is_waited_for(mariadb_build: Build, new: Callable[..., Instance]) -> None:
    source, replica = (
        new(replication_variables(mariadb_build, {}, server_id=number, gtid=True), listen=LOOPBACK)
        for number in (1, 2)
    )
    source.start()
    replica.start()
    says = Replicating(mariadb_build, gtid=True)
    with (
        contextlib.closing(source.connect()) as at_source,
        contextlib.closing(replica.connect()) as at_replica,
    ):
        with pytest.raises(ServerError, match="not a replica"):
            says.state(at_replica)
        says.load_semi_sync(at_source)
        says.semi_sync_source(at_source, 30_000)  # long enough for a slow replica
        assert says.semi_sync_in_force(at_source)[1] == 0
        says.semi_sync_replica(at_replica)
        says.attach(at_replica, source.port, source.password or "", 30.0)
        says.start(at_replica)
        until(lambda: says.semi_sync_in_force(at_source) == (True, 1))
        with at_source.cursor() as cursor:
            cursor.execute("CREATE TABLE assay.followed (a INT PRIMARY KEY) ENGINE=InnoDB")
            cursor.execute("INSERT INTO assay.followed VALUES (1)")
        end = says.source_position(at_source)
        until(lambda: says.state(at_replica).applied >= end)
        assert says.has_read_all(at_replica)
        assert says.state(at_replica).applied == end
        assert says.unacknowledged(at_source) == 0

        says.semi_sync_source(at_source, 500)
        says.stop(at_replica, "IO_THREAD")
        assert (says.state(at_replica).receiving, says.state(at_replica).applying) == (False, True)
        with at_source.cursor() as cursor:
            began = time.monotonic()
            cursor.execute("INSERT INTO assay.followed VALUES (2)")
            assert time.monotonic() - began >= 0.4
        assert not says.semi_sync_in_force(at_source)[0]
        assert says.unacknowledged(at_source) == 1
        assert says.state(at_replica).applied < says.source_position(at_source)

        says.start(at_replica, "IO_THREAD")
        until(lambda: says.semi_sync_in_force(at_source) == (True, 1))
        says.semi_sync_source(at_source, 600_000)
        says.stop(at_replica, "IO_THREAD")
        waits = threading.Thread(target=insert, args=(source, 3))
        waits.start()
        waits.join(0.5)
        assert waits.is_alive()
        says.semi_sync_off(at_source)
        waits.join(120)
        assert not waits.is_alive()
        says.dismiss(at_source)


def insert(server: Instance, number: int) -> None:
    with contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO assay.followed VALUES ({number})")


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)
