"""What a single measurement tells whoever shows it while it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from assay.folder import Event

if TYPE_CHECKING:
    from assay.bench.probe import Probe
    from assay.bench.rate_search import Found


class BenchProgress(Protocol):
    """Told of one action of a workload."""

    def note(self, message: str) -> None:
        """Something worth a line of its own, such as what else is at work on this machine."""

    def event(self, event: Event) -> None:
        """Something the engine said, or a doubt of the lab's own."""


class StorageProgress(Protocol):
    """Told of a load on files, whose stages follow each other."""

    def note(self, message: str) -> None:
        """Something worth a line of its own."""

    def stage(self, number: int, of: int) -> None:
        """A stage begins; the first has the number 1."""

    def event(self, event: Event) -> None:
        """Something the engine said in this stage."""


class ServerProgress(Protocol):
    """Told how a server of its own comes to be."""

    def note(self, message: str) -> None:
        """Something worth a line of its own."""

    def step(self, what: str) -> None:
        """What is done now: "copying the dataset" …"""

    def event(self, event: Event) -> None:
        """Something the engine said while it loaded the tables."""


class SearchProgress(Protocol):
    """Told of a search for the highest rate."""

    def note(self, message: str) -> None:
        """Something worth a line of its own."""

    def starting(self, number: int, of: int, left_s: float | None) -> None:
        """One of several starts begins, the first has the number 1; `left_s` is a guess from those before."""

    def begun(self, capacity: float) -> None:
        """The closed loop is over; `capacity` is its transactions per second."""

    def probed(self, number: int, probe: Probe, known: Found) -> None:
        """A window is over, the first has the number 1; `known` is what follows from all until now."""
