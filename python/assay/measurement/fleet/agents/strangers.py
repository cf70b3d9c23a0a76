"""Bounds the connections of an agent whose token is not proved yet: strangers shut nobody out."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from contextlib import suppress

MOST = 64
MOST_OF_AN_ADDRESS = 16


class Strangers:
    """The connections that have not proved the token yet, oldest first.

    Where there are too many, the oldest of an address with many makes room: who knows the token proves it
    within a moment, and is not the oldest for long.
    """

    def __init__(self) -> None:
        self._waiting: dict[socket.socket, str] = {}
        self._lock = threading.Lock()

    def admit(self, connection: socket.socket, address: str) -> None:
        """Takes one more connection in."""
        with self._lock:
            counts = Counter(self._waiting.values())
            if counts[address] >= MOST_OF_AN_ADDRESS:
                self._evict(address)
            elif len(self._waiting) >= MOST:
                self._evict(counts.most_common(1)[0][0])
            self._waiting[connection] = address

    def leave(self, connection: socket.socket) -> None:
        """Forgets a connection: its token is proved, or it is gone."""
        with self._lock:
            self._waiting.pop(connection, None)

    def _evict(self, address: str) -> None:
        oldest = next(one for one, of in self._waiting.items() if of == address)
        del self._waiting[oldest]
        with suppress(OSError):
            oldest.shutdown(socket.SHUT_RDWR)  # its own thread closes it
