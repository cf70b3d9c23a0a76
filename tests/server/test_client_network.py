"""The client's own network: it is really made, only it is listened on, and it is removed afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing, suppress
from pathlib import Path

import pytest
from assay.base.errors import ConnectError, HostError
from assay.system.server import Build, Instance, PrivateDir, snapshot_copy
from assay.system.server.process.program import start
from assay.system.server.resources.client_network import NAMESPACES, ClientNetwork, link_name

as_root = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("ip") is None, reason="network namespaces are root's, and ip makes them"
)


def links() -> list[str]:
    """Interfaces of this process alone: others of this machine come and go meanwhile."""
    own = link_name(os.getpid(), 0).rpartition(".")[0]
    return [path.name for path in Path("/sys/class/net").glob(f"{own}.*")]


def inside(network: ClientNetwork, *command: str) -> str:
    """What a program says that the launcher has put there, as it does with the engine."""
    program = [shutil.which(command[0]) or "", *command[1:]]
    words = [f"namespace={network.namespace}"]
    with start(program, words, stdout=subprocess.PIPE) as started:
        said, _ = started.communicate()
    assert started.returncode == 0
    return said.decode()


def listens_at(pid: int) -> set[str]:
    """Addresses of a process, as /proc/net/tcp has them."""
    sockets = set()
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # The server opens and closes files meanwhile.
            sockets.add(str(handle.readlink()))
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                raw = bytes.fromhex(fields[1].partition(":")[0])
                found.add(".".join(map(str, reversed(raw))))
    return found


@as_root
@pytest.mark.live
def test_a_server_for_a_client_in_a_network_of_its_own(
    mariadb_build: Build, fresh_data: Path, tmp_path: Path
) -> None:
    assert links() == []
    with PrivateDir() as private:
        network = private.client_network(0)
        assert len(links()) == 1
        assert network.server_address.startswith("198.1")
        assert network.client_address in inside(network, "ip", "-br", "-4", "address")
        assert "eth0" not in inside(network, "ip", "-br", "link")
        data = private.path / "data"
        snapshot_copy(fresh_data, data)
        server = Instance(
            mariadb_build,
            data,
            {},
            tmp_path / "log",
            tmp_path / "cnf",
            listen=network.server_address,
        )
        with server:
            server.verify()
            assert listens_at(server.pid) == {network.server_address}
            server.admit(network.client_address)
            with closing(server.connect()) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT Host FROM mysql.user WHERE User = 'root' ORDER BY Host")
                hosts = {host for (host,) in cursor.fetchall()}
                assert hosts == {"localhost", network.client_address}
            # We are at the server's end of the link, and not the client.
            with pytest.raises(ConnectError, match="is not allowed to connect"):
                server.tcp_address.connect()
        assert network.namespace.exists()
    assert not network.namespace.exists()
    assert links() == []


@as_root
def test_two_networks_have_addresses_of_their_own() -> None:
    with PrivateDir() as one, PrivateDir() as other:
        first, second = one.client_network(0), other.client_network(0)
        assert len({first.server_address, first.client_address, second.server_address}) == 3
        assert first.namespace != second.namespace


@as_root
def test_how_a_delay_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most kernels have netem; where ours has none, what matters is what it would be told."""
    said = tmp_path / "said"
    tc = tmp_path / "tc"
    tc.write_text(f'#!/bin/sh\necho told "$@" > {said}\n')
    tc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with PrivateDir() as private:
        network = private.client_network(2.5)
        name = network.namespace.name
        assert said.read_text().split()[1:] == [
            *("-n", name, "qdisc", "add", "dev", "client", "root"),
            *("netem", "delay", "2.5ms", "limit", "1000000"),
        ]
    tc.write_text('#!/bin/sh\necho "Error: Specified qdisc kind is unknown." >&2\nexit 2\n')
    with (
        PrivateDir() as private,
        pytest.raises(
            HostError, match="this kernel cannot delay packets: Error: Specified qdisc kind is unk"
        ),
    ):
        private.client_network(1)
    assert not (NAMESPACES / private.name).exists()


@as_root
def test_a_missing_tool_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        PrivateDir() as private,
        pytest.raises(HostError, match="needs ip, which is not installed") as caught,
    ):
        private.client_network(0)
    assert "apt-get install iproute2" in (caught.value.hint or "")


def test_it_is_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    with PrivateDir() as private:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        with pytest.raises(HostError, match="needs root"):
            private.client_network(0)
        monkeypatch.undo()
