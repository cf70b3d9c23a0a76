"""Whose process a load makes work: found by its address, where it is this machine's."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from assay.base.format.job import Target
from assay.system.host import Machine
from assay.system.host.listener import measured_here

LISTEN = """\
import socket, sys
where = sys.argv[1]
family = socket.AF_UNIX if where.startswith("/") else socket.AF_INET6 if ":" in where else socket.AF_INET
one = socket.socket(family)
one.bind(where if family == socket.AF_UNIX else (where, 0))
one.listen()
print(0 if family == socket.AF_UNIX else one.getsockname()[1], flush=True)
sys.stdin.read()
"""


def at(**place: Any) -> Target:
    """A job's target at this place."""
    return Target(user="root", database="assay", **place)


@pytest.fixture
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[int, Target]]:
    """Its pid, and the target of a job for it."""
    where = request.param or str(tmp_path / "s.sock")
    process = subprocess.Popen(
        [sys.executable, "-c", LISTEN, where], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    host = "127.0.0.1" if where == "0.0.0.0" else where
    yield process.pid, at(host=host, port=port) if port else at(socket=where)
    process.communicate()


@pytest.mark.parametrize("listener", ["", "127.0.0.1", "0.0.0.0"], indirect=True)
def test_a_server_here_is_found(listener: tuple[int, Target]) -> None:
    pid, target = listener
    assert measured_here(target) == [pid]


def test_an_address_of_this_machine_that_nobody_listens_at(tmp_path: Path) -> None:
    assert measured_here(at(socket=str(tmp_path / "none.sock"))) is None
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert measured_here(at(host="127.0.0.1", port=port)) == [os.getpid()]
    assert measured_here(at(host="127.0.0.1", port=port)) is None


@pytest.mark.parametrize(
    "target", [None, at(host="192.0.2.7", port=3306), at(host="no.such.invalid", port=1)]
)
def test_another_machine_s_server_is_no_process_here(target: Target | None) -> None:
    assert measured_here(target) == []


@pytest.mark.parametrize(
    ("holders", "found"),
    [
        ({1: "systemd", 7: "mysqld"}, [7]),
        ({1: "systemd"}, None),
        ({1: "mariadbd"}, [1]),
        ({9: "docker-proxy"}, None),
    ],
)
def test_who_only_holds_or_passes_on_a_socket_is_not_the_server(
    tmp_path: Path, holders: dict[int, str], found: list[int] | None
) -> None:
    """All of the machine descends from the service manager, and a container's server not from its proxy."""
    net = tmp_path / "proc/net"
    net.mkdir(parents=True)
    (net / "tcp").write_text("sl local\n0: 00000000:0CEA 00000000:0000 0A 0:0 00:0 0 27 0 4242 1\n")
    for pid, name in holders.items():
        (tmp_path / f"proc/{pid}/fd").mkdir(parents=True)
        (tmp_path / f"proc/{pid}/comm").write_text(f"{name}\n")
        (tmp_path / f"proc/{pid}/fd/3").symlink_to("socket:[4242]")
    target = at(host="127.0.0.1", port=3306)
    assert measured_here(target, Machine(tmp_path)) == found


@pytest.mark.parametrize("listener", [""], indirect=True)
@pytest.mark.parametrize(("name", "seen"), [("systemd", False), ("mariadbd", True)])
def test_a_socket_that_the_service_manager_opened_says_nothing_of_the_server(
    listener: tuple[int, Target], tmp_path: Path, name: str, seen: bool
) -> None:
    pid, target = listener
    (tmp_path / f"proc/{pid}").mkdir(parents=True)
    (tmp_path / f"proc/{pid}/comm").write_text(f"{name}\n")
    assert measured_here(target, Machine(tmp_path)) == ([pid] if seen else None)
