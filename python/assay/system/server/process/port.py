"""Finds a free port of this machine, or the process that occupies one."""

from __future__ import annotations

import errno
import socket

from assay.base.errors import HostError
from assay.base.privileges import PrivilegeError, refused
from assay.system.host import listeners

LOOPBACK = "127.0.0.1"


def free_port(host: str = LOOPBACK) -> int:
    """Returns a TCP port that is free at this moment. Another process may take it before the server does: the
    caller tries again.
    """
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def require_free(port: int, host: str = LOOPBACK) -> None:
    """Raises HostError when the port is taken; it names the port and, where it can be read, the process that
    listens there.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            raise PrivilegeError(f"port {port}", refused("ports", "this process may not take it")) from None
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            who = " and ".join(f"{program} (pid {pid})" for pid, program in listeners(port).items())
            raise HostError(
                f"port {port} on {host} is in use" + (f" by {who}" if who else ""),
                hint="choose another port, or give none: the lab then chooses a free one",
            ) from None
