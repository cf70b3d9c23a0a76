"""The releases of the catalogue: fetched, started, verified, measured, stopped."""

from __future__ import annotations

import contextlib
import os

import forked
import pytest
from assay.system.server import Build, Instance, StatusSource, server_facts, waits
from assay.system.server.flavour import FLAVOURS, flavour_of
from assay.system.server.release.unpacked import find_unpacked

RELEASES = [
    f"{flavour.name}@{release.number}" for flavour in FLAVOURS.values() for release in flavour.releases
]
pytestmark = [pytest.mark.fleet, pytest.mark.live, pytest.mark.parametrize("member", RELEASES, indirect=True)]


def test_it_starts_with_what_was_asked_for(member: Build, member_server: Instance) -> None:
    assert member_server.verify() == {
        "innodb_buffer_pool_size": str(64 << 20),
        "innodb_doublewrite": "OFF",
        "innodb_redo_log_capacity": str(96 << 20),
        "transaction_isolation": "READ-COMMITTED",
    }
    with contextlib.closing(member_server.connect()) as connection:
        facts = server_facts(connection)
        assert str(facts["version"]).startswith(member.version_number)
        assert flavour_of(str(facts["version"])) == member.flavour
        with connection.cursor() as cursor:
            cursor.execute("SELECT User, Host FROM mysql.user WHERE User IN ('', 'root')")
            users = set(cursor.fetchall())
            assert {("root", "localhost"), ("root", "127.0.0.1")} <= users
            assert not [user for user, _ in users if not user]


def test_its_redo_files_are_as_large_as_the_study_says(member: Build, member_server: Instance) -> None:
    """Bytes on disk: all files together, however many there are. MySQL 9.7 makes them as they are needed."""
    files = [*member_server.data_dir.glob("ib_logfile*"), *member_server.data_dir.glob("#innodb_redo/*")]
    size = sum(file.stat().st_size for file in files)
    if (member_server.data_dir / "#innodb_redo").is_dir():
        assert 0 < size <= 96 << 20
    else:
        assert size == 96 << 20
    assert "# innodb_redo_log_capacity = 96M of the study" in member_server.options_path.read_text() or (
        member.flavour_name == "mysql" and member.version >= (8, 0, 30)
    )


def test_its_counters_are_read(member: Build, member_server: Instance) -> None:
    with contextlib.closing(member_server.connect()) as connection:
        values = StatusSource(connection).read()
        for name in ("Questions_total", "Innodb_data_writes_total", "Innodb_buffer_pool_pages_dirty"):
            assert name in values


def test_waits_for_mutexes_are_counted_where_the_server_lists_them(
    member: Build, member_server: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waits, "LONGEST_S", 60)  # on a busy machine, too
    lists = member.version < member.flavour.mutexes_until
    with contextlib.closing(member_server.connect()) as connection:
        values = StatusSource(connection).read()
        rows = connection.rows("SHOW ENGINE INNODB MUTEX", columns=3)
    if not lists:
        assert "mutex_waits_total" not in values
        return
    counts = {str(row[1]): int(str(row[2]).removeprefix("os_waits=")) for row in rows}
    assert 0 <= values["mutex_waits_total"] <= sum(counts.values())
    of_the_pool = [count for name, count in counts.items() if "buf0buf" in name or "buf_pool" in name]
    assert values["buffer_pool_waits_total"] <= sum(of_the_pool)
    assert values["adaptive_hash_waits_total"] <= values["mutex_waits_total"]


def test_what_was_unpacked_is_described(member: Build) -> None:
    here = find_unpacked(member.flavour_name, member.version)
    assert here
    assert here[1].binary_sha256 == member.sha256
    assert here[1].build_id or here[1].compiler


@pytest.mark.parametrize("way", ["socket", "password"])
def test_the_engine_logs_in_and_measures(member: Build, member_server: Instance, way: str) -> None:
    with contextlib.closing(member_server.connect()) as connection, connection.cursor() as cursor:
        if way == "password":
            cursor.execute("CREATE USER 'lab'@'127.0.0.1' IDENTIFIED BY 'secret'")
            cursor.execute("GRANT ALL ON *.* TO 'lab'@'127.0.0.1'")
    where = {
        "socket": [f"--socket={member_server.socket}"],
        "password": [
            *("--host=127.0.0.1", f"--port={member_server.port}", "--user=lab", "--get-server-public-key")
        ],
    }
    for words in (
        ["oltp_read_write", "prepare"],
        ["oltp_point_select", "run", "--time=0.3"],
        ["oltp_read_write", "run", "--time=0.3", "--threads=2"],
        ["oltp_read_write", "run", "--time=0.3", "--ps-mode=disable"],
        ["oltp_read_write", "cleanup"],
    ):
        ended = forked.run(
            *("bench", *words, *where[way], "--db=assay", "--tables=1", "--table-size=500"),
            env={**os.environ, "ASSAY_PASSWORD": "secret" if way == "password" else ""},
        )
        assert ended.returncode == 0, ended.stderr
