"""Ports of this machine: a free one, and who has one that is not."""

from __future__ import annotations

import contextlib
import errno
import socket
from pathlib import Path

from assay.errors import HostError

LOOPBACK = "127.0.0.1"
_LISTENING = "0A"  # TCP_LISTEN in /proc/net/tcp


def free_port(host: str = LOOPBACK) -> int:
    """A port that is free now. Another process may take it before the server does: the caller tries again."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def require_free(port: int, host: str = LOOPBACK) -> None:
    """HostError that names the port and, where it can be read, who listens on it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            raise HostError(
                f"port {port} is not allowed to this user", hint="choose one from 1024 up"
            ) from None
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            who = listener(port)
            raise HostError(
                f"port {port} on {host} is in use" + (f" by {who}" if who else ""),
                hint="choose another port, or none: the lab then takes a free one",
            ) from None


def listener(port: int) -> str | None:
    """`mariadbd (pid 812)`: who listens on a local port; None when that cannot be read."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(f"socket:[{fields[9]}]")
    if not inodes:
        return None
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        if any(target in inodes for target in _open_files(process)):
            try:
                return f"{(process / 'comm').read_text().strip()} (pid {process.name})"
            except OSError:
                continue  # it has just ended
    return None


def _open_files(process: Path) -> list[str]:
    """Link targets of its file descriptors; nothing for a process of somebody else."""
    targets = []
    try:
        for handle in (process / "fd").iterdir():
            with contextlib.suppress(OSError):  # closed meanwhile; the one that lists these is
                targets.append(str(handle.readlink()))
    except OSError:
        return []
    return targets
