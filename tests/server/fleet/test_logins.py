"""The generator logs in by each authentication plugin that the servers have."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

import forked
import pytest
from assay.base.errors import ServerError
from assay.system.server import Build, Connection, Instance

PASSWORD = "sesame ütf8 #1"
NATIVE = [
    *("mysql@5.5.9", "mysql@5.6.24", "mysql@5.7.22"),
    *("mariadb@10.1.8", "mariadb@10.1.23", "mariadb@10.2.11", "mariadb@10.11", "mariadb@11.4.5"),
]
pytestmark = [pytest.mark.fleet, pytest.mark.live]


def bench(
    server: Instance, user: str, *words: str, way: str = "socket", password: str = PASSWORD
) -> subprocess.CompletedProcess[str]:
    tcp = ["--host=127.0.0.1", f"--port={server.port}"]
    place = ["--socket", str(server.socket)] if way == "socket" else tcp
    tls = {"tls": ["--ssl-mode=required"], "tcp": ["--get-server-public-key"]}.get(way, [])
    return forked.run(
        *("bench", "oltp_point_select", *words),
        *(*place, *tls, f"--user={user}", "--db=assay", "--tables=1", "--table-size=100"),
        env={**os.environ, "ASSAY_PASSWORD": "" if user == "root" else password},
    )


def with_user(connection: Connection, create: str) -> list[str]:
    """The users `lab`, local and over TCP, made anew; their plugins as the server has them."""
    with connection.cursor() as cursor:
        for host in ("localhost", "127.0.0.1"):
            with contextlib.suppress(ServerError):
                cursor.execute(f"DROP USER 'lab'@'{host}'")
            cursor.execute(create.format(user=f"'lab'@'{host}'"), (PASSWORD,))
            cursor.execute(f"GRANT ALL ON *.* TO 'lab'@'{host}'")
        cursor.execute("SELECT plugin FROM mysql.user WHERE User = 'lab'")
        return [str(plugin) for (plugin,) in cursor.fetchall()]


def logs_in(server: Instance, ways: list[str]) -> None:
    assert bench(server, "root", "prepare").returncode == 0
    try:
        for way in ways:
            ended = bench(server, "lab", "run", "--time=0.2", "--threads=2", way=way)
            assert ended.returncode == 0, f"{way}: {ended.stderr}"
    finally:
        bench(server, "root", "cleanup")


@pytest.mark.parametrize("member", NATIVE, indirect=True)
def test_native(member: Build, member_server: Instance) -> None:
    with contextlib.closing(member_server.connect()) as connection:
        assert set(with_user(connection, "CREATE USER {user} IDENTIFIED BY %s")) <= {
            "",
            "mysql_native_password",
        }
    logs_in(member_server, ["socket", "tcp"])


@pytest.mark.parametrize("member", ["mysql@9.7"], indirect=True)
def test_caching_sha2_and_nothing_else(member: Build, member_server: Instance) -> None:
    """Over TCP without TLS the password is encrypted with the server's key; then the server remembers."""
    for way in ("socket", "tcp", "tls"):
        with contextlib.closing(member_server.connect()) as connection:
            plugins = with_user(connection, "CREATE USER {user} IDENTIFIED BY %s")
            assert plugins == ["caching_sha2_password"] * 2
        logs_in(member_server, [way, way])
    with contextlib.closing(member_server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT plugin_name FROM information_schema.plugins")
        assert "mysql_native_password" not in {name for (name,) in cursor.fetchall()}


@pytest.mark.parametrize("member", ["mariadb@10.11"], indirect=True)
def test_ed25519(member: Build, member_server: Instance) -> None:
    with contextlib.closing(member_server.connect()) as connection:
        with connection.cursor() as cursor:
            cursor.execute("SELECT @@plugin_dir")
            (folder,) = cursor.fetchone() or ("",)
            if not (Path(folder) / "auth_ed25519.so").is_file():
                pytest.skip("unpacked without its plugins: assay server rm mariadb@10.11, then get it again")
            cursor.execute("INSTALL SONAME 'auth_ed25519'")
        try:
            plugins = with_user(connection, "CREATE USER {user} IDENTIFIED VIA ed25519 USING PASSWORD(%s)")
            assert plugins == ["ed25519"] * 2
            logs_in(member_server, ["socket", "tcp"])
            wrong = bench(member_server, "lab", "run", password="open")
            assert (wrong.returncode, "1045" in wrong.stderr) == (3, True)
        finally:
            with connection.cursor() as cursor:
                for host in ("localhost", "127.0.0.1"):
                    cursor.execute(f"DROP USER 'lab'@'{host}'")
                cursor.execute("UNINSTALL SONAME 'auth_ed25519'")
