"""The contract of a backend: where the generators of a fleet run, and how they are reached.

A backend joins hosts, places generators on them, passes commands to them and their events back, and says
when one is gone. Nothing of it lies between a generator and the server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from assay.base.format.job import Job
from assay.design.folder import Doubt
from assay.measurement.fleet.clock import ClockReading


@dataclass(frozen=True)
class FleetHost:
    """A machine that generators can be placed on, with the processors that they may use, and the event loops
    that a load has there unless it says otherwise.
    """

    name: str
    processors: int
    loops: int


@dataclass(frozen=True)
class Reach:
    """How generators on other machines reach a server of this one: the address at which it must listen, and
    the addresses from which they come.
    """

    listen: str
    clients: tuple[str, ...]


@dataclass(frozen=True)
class Share:
    """What one generator is to carry out: the job with its part of the load, which has `loops` event
    loops.
    """

    name: str
    host: str
    loops: int
    job: Job


class Generator(Protocol):
    """An engine that is carrying out its share; every method may be called from any thread."""

    share: Share
    pid: int | None
    """Its process on this machine; None elsewhere."""

    def read_clock(self) -> ClockReading:
        """Reads its CLOCK_MONOTONIC against the coordinator's. Raises `OSError` where its host cannot be
        reached.
        """

    def say(self, command: Mapping[str, Any]) -> None:
        """Sends a command of the engine's input; does nothing once the generator is gone."""

    def close(self) -> None:
        """Ends its input: it stops as soon as it can, and says what it has measured."""

    def lines(self) -> Iterator[bytes]:
        """Yields the lines of its events as they come, each with its line end, until it has ended.

        Called once, from a thread of its own.
        """

    def send_signal(self, sig: int, /) -> None:
        """Sends it a signal; does nothing once it is gone."""

    def kill(self) -> None:
        """Ends it at once; does nothing once it is gone."""

    def gone(self, wait_s: float = 0.0) -> int | None:
        """Returns its exit code, below 0 the signal that ended it, and None if it has not ended after
        `wait_s` seconds.
        """

    def complaint(self) -> str:
        """Returns what it has written beside its events."""


class Backend(Protocol):
    """A way of reaching hosts."""

    name: str
    lead_s: float
    """Seconds between the last word of a generator that is ready and the start, enough for the command to
    reach all of them.
    """

    def join(self) -> Sequence[FleetHost]:
        """Returns the hosts that are there. Raises `HostError` when there is none."""

    def placed_on(self) -> tuple[str, ...]:
        """Returns the names of other machines that generators may be placed on; none where they are on this
        one.
        """

    def reach(self) -> Reach | None:
        """Returns how the joined hosts reach a server of this machine over the network; None where generators
        are on this machine. Raises `HostError` where they cannot all reach one address, and where one of them
        is this machine and that was not allowed.
        """

    def doubts(self, shares: Sequence[Share]) -> Sequence[Doubt]:
        """Returns the reasons to distrust a load whose generators are placed so."""

    def ceiling_qps(self, shares: Sequence[Share]) -> float | None:
        """Returns how many queries/s generators that are placed so reach together; None where that was not
        measured.
        """

    def place(
        self, shares: Sequence[Share], env: Mapping[str, str]
    ) -> AbstractContextManager[Sequence[Generator]]:
        """Starts a generator for each share, or none of them; `env` is added to their environment.

        When the block is left, none of them is running, whatever happened. Raises `HostError` when one
        cannot be started.
        """
