"""A private server from start to stop, and all the ways that it can go wrong."""

from __future__ import annotations

import contextlib
import os
import pwd
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.base.errors import ConnectError, HostError, ServerError
from assay.system.server import Address, Build, Instance, initialise
from assay.system.server.data import data_directory
from assay.system.server.process.alive import ProcessId
from assay.system.server.process.port import LOOPBACK

pytestmark = pytest.mark.live

New = Callable[..., Instance]


def test_start_verify_stop(new: New, assay_home: Path, tmp_path: Path) -> None:
    server = new(
        {
            "innodb_io_capacity": 500,
            "innodb_flush_method": "fsync",
            "log_bin": "binlog",
            "max_connections": 77,
        }
    )
    with server:
        assert server.verify() == {
            "innodb_io_capacity": "500",
            "innodb_flush_method": "fsync",
            "log_bin": "ON",
            "max_connections": "77",
        }
        pid, private = server.pid, server.socket.parent
        assert private.is_relative_to(assay_home)
        assert ProcessId.of(pid) is not None
        assert os.getpgid(pid) == pid
        if os.geteuid() == 0:
            assert pwd.getpwuid(Path(f"/proc/{pid}").stat().st_uid).pw_name in ("mysql", "nobody")
        with contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
            cursor.execute("SHOW DATABASES LIKE 'assay'")
            assert cursor.fetchall()
            cursor.execute("SELECT @@skip_networking, @@skip_name_resolve")
            assert cursor.fetchone() == (1, 1)
        with contextlib.closing(server.connect()) as connection, connection.cursor() as cursor:
            cursor.execute("SET GLOBAL max_connections = 88")
        with pytest.raises(ServerError, match="max_connections: asked for 77, the server has 88"):
            server.verify()
    assert server.exit_status() == 0
    assert ProcessId.of(pid) is None
    assert not private.exists()
    assert server.data_dir.is_dir()
    kept = (tmp_path / "my.cnf").read_text()
    assert "innodb_io_capacity=500\n" in kept
    assert "skip_name_resolve=ON" in kept
    assert "ready for connections" in (tmp_path / "server.log").read_text()
    with pytest.raises(ConnectError):
        server.connect()
    server.stop()  # once more does no harm


def test_it_starts_again_on_the_same_data(new: New) -> None:
    server = new()
    for _ in range(2):
        server.start()
        server.stop(clean=True)
        assert server.exit_status() == 0


def test_a_bad_variable_is_refused_before_the_start(new: New, tmp_path: Path) -> None:
    server = new({"innodb_io_capacity": 1})
    with pytest.raises(ServerError, match="asked for 1, the server would use 100"):
        server.start()
    assert not (tmp_path / "server.log").exists()
    assert server.exit_status() is None


def test_a_server_that_cannot_start_shows_its_log(new: New) -> None:
    server = new()
    (server.data_dir / "ibdata1").write_bytes(b"not a tablespace" * 100)
    with pytest.raises(ServerError) as caught:
        server.start()
    assert "did not start: " in caught.value.message
    assert "ibdata1" in (caught.value.detail or "")
    assert str(server.log.path) in (caught.value.hint or "")
    assert not server.alive()
    assert not server.socket.parent.exists()


def test_a_server_that_dies_can_be_seen(new: New) -> None:
    server = new()
    server.start()
    os.kill(server.pid, signal.SIGKILL)
    while server.alive():
        pass
    assert server.exit_status() == -signal.SIGKILL
    assert "ready for connections" in server.log_tail(3)
    server.stop()


def test_a_port_in_use_names_who_has_it(new: New) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        server = new(port=port)
        with pytest.raises(
            HostError, match=rf"port {port} on 127.0.0.1 is in use by .*\(pid {os.getpid()}\)"
        ):
            server.start()
    server.start()
    assert server.port == port


def test_a_long_home_gets_a_short_socket(new: New, assay_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(assay_home / ("long" * 30)))
    server = new()
    server.start()
    assert len(str(server.socket)) < 100
    folder = server.socket.parent
    assert folder.is_dir()
    server.stop()
    assert not folder.exists()


def test_a_place_that_the_server_cannot_enter(mariadb_build: Build, tmp_path: Path, assay_home: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("servers run as ourselves")
    closed = assay_home / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(HostError, match=f"{closed} is closed"):
        initialise(mariadb_build, closed / "data")
    assert list(closed.iterdir()) == []


def test_a_data_directory_is_made_in_an_empty_place(mariadb_build: Build, fresh_data: Path) -> None:
    with pytest.raises(HostError, match="is not empty"):
        initialise(mariadb_build, fresh_data)


def test_a_data_directory_by_bootstrap(
    mariadb_build: Build, assay_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of servers that come without a script; here of one that has both."""
    monkeypatch.setattr(data_directory, "_find", lambda build, names: None)
    data = assay_home / "bootstrapped"
    initialise(mariadb_build, data)
    assert (data / "mysql").is_dir()
    assert not (data / "test").exists()


def test_nobody_comes_in_over_tcp_without_a_password(new: New, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_PASSWORD", "of-another-server")
    server = new(listen=LOOPBACK)
    server.listen = None
    with server, contextlib.closing(server.connect()) as connection:
        assert connection.rows("SELECT @@skip_networking") == [(1,)]
        assert connection.rows("SELECT User, Host FROM mysql.user WHERE User IN ('root', '')") == [
            ("root", "localhost")
        ]
        # As data directories were made before.
        for sql in ("CREATE USER 'root'@'127.0.0.1'", "GRANT ALL ON *.* TO 'root'@'127.0.0.1'"):
            connection.rows(sql, columns=0)
        assert b"of-another-server" not in Path(f"/proc/{server.pid}/environ").read_bytes()
    server.listen = LOOPBACK
    with server:
        with pytest.raises(ConnectError, match="Access denied"):
            Address(user="root", port=server.port).connect()
        server.tcp_address.connect().close()
        assert server.password is not None
        assert server.password not in repr(server.tcp_address)


def test_a_server_that_hangs_while_it_starts_is_given_up(new: New) -> None:
    """A process that is stopped takes connections, in the kernel, and never greets."""
    with new() as server:
        os.kill(server.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, server.pid, os.WSTOPPED)  # until then a thread of it might greet
        try:
            with pytest.raises(ServerError, match=r"is not ready after 0\.5 s"):
                server._started.wait_ready(server.address, 0.5)
        finally:
            os.kill(server.pid, signal.SIGCONT)


def test_a_umask_that_hides_files_does_not_hide_its_options(new: New) -> None:
    before = os.umask(0o077)
    try:
        with new() as server:
            assert server.alive()
    finally:
        os.umask(before)
