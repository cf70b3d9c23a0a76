"""The clock of another machine: its CLOCK_MONOTONIC against the coordinator's, with a bound that holds.

One exchange has four readings: the coordinator's when it asks (t0), the other's when it hears (t1) and when
it answers (t2), the coordinator's when it hears the answer (t3). The offset is ((t1 - t0) + (t2 - t3)) / 2,
as in NTP (RFC 5905, section 8). The question cannot have been heard before it was asked, nor the answer
before it was given: so the truth lies within half of the round trip of it, however unequal the two ways are.
Of many exchanges the fastest has the least bound. The first few, for which a connection warms up, are
discarded.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

_QUESTION = struct.Struct(">Q")
_ANSWER = struct.Struct(">QQQ")

DISCARDED = 8
KEPT = 64

Clock = Callable[[], int]


@dataclass(frozen=True)
class ClockOffset:
    """A clock minus the coordinator's at one instant, and how far the truth may be from that at most, in
    nanoseconds.
    """

    offset_ns: int
    bound_ns: int


@dataclass(frozen=True)
class Exchange:
    """The four readings of one exchange, in nanoseconds."""

    asked: int
    heard: int
    answered: int
    back: int

    @property
    def round_trip_ns(self) -> int:
        """The time on both ways, without that between hearing and answering."""
        return (self.back - self.asked) - (self.answered - self.heard)

    @property
    def offset(self) -> ClockOffset:
        """The other clock minus the coordinator's."""
        twice = (self.heard - self.asked) + (self.answered - self.back)
        return ClockOffset(twice // 2, -(-self.round_trip_ns // 2) + 1)  # rounded so that the bound holds


@dataclass(frozen=True)
class ClockReading:
    """The offset of a clock at one instant of the coordinator's."""

    at_ns: int
    offset: ClockOffset


@dataclass(frozen=True)
class ClockSpan:
    """A clock before and after a load; between the two it is a line."""

    before: ClockReading
    after: ClockReading

    @property
    def drift_ppm(self) -> float:
        """How much faster the other clock runs, in millionths."""
        passed = self.after.at_ns - self.before.at_ns
        moved = self.after.offset.offset_ns - self.before.offset.offset_ns
        return moved / passed * 1e6 if passed > 0 else 0.0

    @property
    def bound_ns(self) -> int:
        """The larger of the bounds at both ends, which holds between them for a clock that runs evenly."""
        return max(self.before.offset.bound_ns, self.after.offset.bound_ns)

    def offset_at(self, at_ns: int) -> int:
        """Returns the offset at an instant of the coordinator's clock, in nanoseconds."""
        since = at_ns - self.before.at_ns
        return self.before.offset.offset_ns + round(since * self.drift_ppm / 1e6)


def best(exchanges: Iterable[Exchange]) -> ClockReading:
    """Returns what the fastest exchange says. Raises `ValueError` when there is none."""
    fastest = min(exchanges, key=lambda one: one.round_trip_ns)
    return ClockReading((fastest.asked + fastest.back) // 2, fastest.offset)


def read_clock(
    connection: socket.socket, *, kept: int = KEPT, clock: Clock = time.monotonic_ns
) -> ClockReading:
    """Reads the clock at the other end of a connection, at which `answer_clock` is called.

    Raises `OSError` when the connection breaks.
    """
    if connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    exchanges = []
    for number in range(DISCARDED + kept):
        asked = clock()
        connection.sendall(_QUESTION.pack(number))
        echoed, heard, answered = _ANSWER.unpack(_read(connection, _ANSWER.size))
        back = clock()
        if echoed != number:
            raise ConnectionError("the clock answered another question")
        exchanges.append(Exchange(asked, heard, answered, back))
    return best(exchanges[DISCARDED:])


def answer_clock(connection: socket.socket, *, clock: Clock = time.monotonic_ns) -> None:
    """Answers questions about this machine's clock until the other end closes the connection."""
    if connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with suppress(ConnectionError):
        while True:
            question = _read(connection, _QUESTION.size)
            heard = clock()
            connection.sendall(_ANSWER.pack(_QUESTION.unpack(question)[0], heard, clock()))


def _read(connection: socket.socket, size: int) -> bytes:
    """Returns exactly so many bytes. Raises `ConnectionError` at the end of the connection."""
    content = b""
    while len(content) < size:
        piece = connection.recv(size - len(content))
        if not piece:
            raise ConnectionError("the connection was closed")
        content += piece
    return content
