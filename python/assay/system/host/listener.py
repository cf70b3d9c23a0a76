"""Finds the processes of this machine that serve an address."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

from assay.base.format.job import Target
from assay.system.host.machine import Machine

_LISTENS = "0A"
_PATIENCE_S = 1.0
_SERVICE_MANAGERS = {"systemd", "init"}
"""Programs that may hold the sockets of services and are ancestors of all processes."""
_PASS_ON = {"docker-proxy", "rootlessport", "slirp4netns", "pasta", "pasta.avx2"}
"""Programs that listen in place of a server in a container."""


def measured_here(target: Target | None, machine: Machine | None = None) -> list[int] | None:
    """Returns the processes of this machine that serve a load to `target`; empty where another machine serves
    it, or no server does.

    None when a process of this machine serves it but cannot be seen.
    """
    if target is None:
        return []
    machine = machine or Machine()
    if target.socket:
        pid = _at_socket(target.socket)
        return None if pid is None or _program(machine, pid) in _SERVICE_MANAGERS else [pid]
    if not _is_here(target.host):
        return []
    return _at_port(target.port, machine) or None


def _at_socket(path: str) -> int | None:
    """Returns the process that listens at a unix socket, as the kernel knows it (unix(7), SO_PEERCRED)."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
        asked.settimeout(_PATIENCE_S)
        try:
            asked.connect(path)
            credentials = asked.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        except OSError:
            return None
    pid: int = struct.unpack("3i", credentials)[0]
    return pid or None  # 0: a process of another namespace


def _is_here(host: str) -> bool:
    """Returns whether an address belongs to this machine: a socket can be bound to it."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return any(ip_address(where[0]).is_loopback or _binds(family, where) for family, *_, where in found)


def _binds(family: int, where: Any) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            tried.bind(where)
    except OSError:
        return False
    return True


def listeners(port: int, machine: Machine | None = None) -> dict[int, str]:
    """Returns the processes that listen at a local TCP port with their programs: `{812: "mariadbd"}`.

    Several processes may hold one socket. Only root sees processes of other users.
    """
    machine = machine or Machine()
    wanted = {f"socket:[{inode}]" for inode in _listening(machine, port)}
    return {
        int(name): _program(machine, int(name))
        for name in (machine.names("/proc") if wanted else ())
        if name.isdigit() and _holds(machine, name, wanted)
    }


def _at_port(port: int, machine: Machine) -> list[int]:
    """Returns the servers that listen at a local TCP port.

    Empty where a container's port is forwarded, or where only the service manager is seen.
    """
    holders = listeners(port, machine)
    if not _PASS_ON.isdisjoint(holders.values()):
        return []
    return [pid for pid, program in holders.items() if program not in _SERVICE_MANAGERS]


def _holds(machine: Machine, process: str, sockets: set[str]) -> bool:
    folder = machine.path(f"/proc/{process}/fd")
    for number in machine.names(f"/proc/{process}/fd"):
        try:
            if str((folder / number).readlink()) in sockets:
                return True
        except OSError:
            continue  # closed meanwhile
    return False


def _program(machine: Machine, pid: int) -> str:
    return (machine.text(f"/proc/{pid}/comm") or "").strip()


def _listening(machine: Machine, port: int) -> Iterator[str]:
    """Yields the inodes of sockets that listen at a TCP port (proc_net_tcp)."""
    for table in ("tcp", "tcp6"):
        for line in (machine.text(f"/proc/net/{table}") or "").splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                yield fields[9]
