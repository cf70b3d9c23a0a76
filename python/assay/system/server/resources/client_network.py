"""Makes a network for the client: a namespace, joined to this machine by a pair of virtual interfaces.

The pair has a private /30 of 198.18.0.0/15, which is set aside for measurements (RFC 2544, appendix C.2.2).
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError
from assay.base.locks import locked
from assay.base.privileges import PrivilegeError, refused, speaks_of_rights
from assay.system.host import lacks

NAMESPACES = Path("/run/netns")
_LINKS = Path("/sys/class/net")
_LOCK = Path("/run/assay-addresses.lock")
_RANGE = ipaddress.ip_network("198.18.0.0/15")
_NETS = 1 << (30 - _RANGE.prefixlen)
_QUEUE_PACKETS = 1_000_000
"""netem holds back what it delays: with its default of 1000 packets a busy link would lose some."""
_LONGEST_NAME = 15  # of an interface (IFNAMSIZ - 1)
_PACKAGE = "apt-get install iproute2 (Fedora: dnf install iproute-tc)"


@dataclass(frozen=True)
class ClientNetwork:
    """A client's network that is up. The server listens on `server_address`; the client connects from
    `client_address`.
    """

    namespace: Path
    server_address: str
    client_address: str


def make_network(
    name: str, number: int, delay_ms: float, note: Callable[[Literal["link", "namespace"], str], None]
) -> ClientNetwork:
    """Makes a namespace `name`, joined to this machine's, in which each round trip takes `delay_ms` longer.

    `note` is called with the link and the namespace before each is made; the caller removes them. Raises
    HostError without root, `ip` or `tc`, and in the tool's own words when the kernel cannot do it.
    """
    _require_tools(delay_ms)
    link = link_name(os.getpid(), number)
    if len(link) > _LONGEST_NAME:
        raise HostError(
            f"cannot create more networks in one process: {link} is too long for the name of an interface"
        )
    note("namespace", name)
    _do("ip", "netns", "add", name)
    note("link", link)
    # As our end goes, so does the other: it is never left alone.
    _do("ip", "link", "add", link, "type", "veth", "peer", "name", "client", "netns", name)
    with locked(_LOCK):
        server, client = _free_addresses(number)
        _do("ip", "address", "add", f"{server}/30", "dev", link)
    _do("ip", "link", "set", link, "up")
    _do("ip", "-n", name, "address", "add", f"{client}/30", "dev", "client")
    _do("ip", "-n", name, "link", "set", "client", "up")
    if delay_ms > 0:
        # On the way out of the client only: once a round trip.
        _do(
            *("tc", "-n", name, "qdisc", "add", "dev", "client", "root"),
            *("netem", "delay", f"{delay_ms:g}ms", "limit", str(_QUEUE_PACKETS)),
            why="load.delay_ms: this kernel cannot delay packets",
        )
    return ClientNetwork(NAMESPACES / name, str(server), str(client))


def is_link(name: str) -> bool:
    """Returns whether there is an interface of that name."""
    return (_LINKS / name).exists()


def is_namespace(name: str) -> bool:
    """Returns whether there is a namespace of that name."""
    return (NAMESPACES / name).exists()


def remove_link(name: str) -> None:
    """Removes a network link; does nothing when it does not exist."""
    _quietly("ip", "link", "delete", name)


def remove_namespace(name: str) -> None:
    """Ends the processes in a network namespace and removes it; does nothing when it does not exist."""
    if is_namespace(name):
        for pid in map(int, _quietly("ip", "netns", "pids", name).split()):
            if pid > 0:  # 0 would be our own process group
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        _quietly("ip", "netns", "delete", name)


def _require_tools(delay_ms: float) -> None:
    if (lacking := lacks("networks")) is not None:
        raise PrivilegeError('load.client = "netns"', lacking)
    for tool in ("ip", "tc") if delay_ms > 0 else ("ip",):
        if shutil.which(tool) is None:
            raise HostError(f'load.client = "netns" needs {tool}, which is not installed', hint=_PACKAGE)


def link_name(pid: int, number: int) -> str:
    """Returns the name of a network link that only this process uses.

    Its numbers are hexadecimal, because a name has at most 15 characters.
    """
    return f"assay{pid:x}.{number:x}"


def _free_addresses(number: int) -> tuple[ipaddress.IPv4Address, ipaddress.IPv4Address]:
    """Returns two addresses of one /30 that overlaps no address and no route of this machine."""
    taken = list(_taken())
    first = (os.getpid() * 61 + number) % _NETS
    for step in range(_NETS):
        net = ipaddress.ip_network((int(_RANGE.network_address) + (first + step) % _NETS * 4, 30))
        assert isinstance(net, ipaddress.IPv4Network)
        if not any(net.overlaps(other) for other in taken):
            server, client = net.hosts()
            return server, client
    raise HostError(f"no addresses are free in {_RANGE}", hint='choose load.client = "tcp"')


def _taken() -> Iterator[ipaddress.IPv4Network]:
    for link in json.loads(_do("ip", "-j", "-4", "address")):
        for address in link.get("addr_info", ()):
            yield ipaddress.IPv4Network(f"{address['local']}/{address['prefixlen']}", strict=False)
    for route in json.loads(_do("ip", "-j", "-4", "route", "show", "table", "all") or "[]"):
        if (target := route.get("dst", "default")) != "default":
            with contextlib.suppress(ValueError):
                yield ipaddress.IPv4Network(target, strict=False)


def _do(*command: str, why: str | None = None) -> str:
    done = _run(command)
    if done.returncode != 0:
        said = " ".join((done.stderr or done.stdout).split())
        if speaks_of_rights(said):
            lacking = refused("networks", f"{command[0]} says: {said}")
            raise PrivilegeError('load.client = "netns"', lacking, detail=" ".join(command))
        raise HostError(
            f"{why or 'load.client = netns: no network for the client'}: {said or 'no reason given'}",
            detail=" ".join(command),
        )
    return done.stdout


def _quietly(*command: str) -> str:
    try:
        return _run(command).stdout
    except OSError:
        return ""


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        stdin=subprocess.DEVNULL,
    )
