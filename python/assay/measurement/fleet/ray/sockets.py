"""Lists where processes listen, as the kernel has it: an option's promise is checked by the sockets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

_TABLES = ("tcp", "tcp6")
_LISTENS = "0A"  # TCP_LISTEN in linux/tcp_states.h
_SOCKET = "socket:["


@dataclass(frozen=True, order=True)
class ListeningSocket:
    """A TCP socket that waits for connections at a numeric address."""

    address: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        found = ip_address(self.address)
        mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
        return (mapped or found).is_loopback

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def listening_sockets(pids: Iterable[int], proc: Path = Path("/proc")) -> list[ListeningSocket]:
    """Returns the TCP sockets at which these processes listen, in order, each once."""
    found: set[ListeningSocket] = set()
    for pid in pids:
        own = set(_inodes(proc / str(pid)))
        for table in _TABLES if own else ():
            with suppress(OSError):  # the process is gone; or the kernel has no IPv6
                lines = (proc / str(pid) / "net" / table).read_text().splitlines()[1:]
                found |= {_of(line.split()) for line in lines if _is_own(line.split(), own)}
    return sorted(found)


def unpromised(sockets: Iterable[ListeningSocket], address: str) -> list[ListeningSocket]:
    """Returns the sockets that are neither of loopback nor at the address that was promised."""
    return [one for one in sockets if not one.is_loopback and one.address != address]


def _inodes(process: Path) -> Iterator[str]:
    with suppress(OSError):
        for entry in (process / "fd").iterdir():
            with suppress(OSError):
                target = str(entry.readlink())
                if target.startswith(_SOCKET):
                    yield target[len(_SOCKET) : -1]


def _is_own(fields: list[str], inodes: set[str]) -> bool:
    return len(fields) > 9 and fields[3] == _LISTENS and fields[9] in inodes


def _of(fields: list[str]) -> ListeningSocket:
    """Returns the socket of a line of the table; its address is in words of the machine's byte order."""
    address, _, port = fields[1].partition(":")
    words = bytes.fromhex(address)
    ordered = b"".join(words[at : at + 4][::-1] for at in range(0, len(words), 4))
    told = IPv4Address(ordered) if len(ordered) == 4 else IPv6Address(ordered)
    return ListeningSocket(str(told), int(port, 16))
