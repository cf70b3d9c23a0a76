"""Protocols by which a single measurement reports its progress to a display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from assay.design.folder import Event

if TYPE_CHECKING:
    from assay.experiments.bench.probe import Probe
    from assay.experiments.bench.rate_search import SearchOutcome


class BenchProgress(Protocol):
    """Receives the progress of one action of a workload."""

    def note(self, message: str) -> None:
        """Receives a message that needs a line of its own, such as other programs at work on this machine."""

    def event(self, event: Event) -> None:
        """Receives an event of the engine, or a doubt of the lab's own."""


class StorageProgress(Protocol):
    """Receives the progress of a load on files or on the machine itself, whose stages follow each other."""

    def note(self, message: str) -> None:
        """Receives a message that needs a line of its own."""

    def stage(self, number: int, of: int) -> None:
        """Reports that a stage begins; the first has the number 1."""

    def event(self, event: Event) -> None:
        """Receives an event of the engine in this stage."""


class ServerProgress(Protocol):
    """Receives the progress of starting a private server for a measurement."""

    def note(self, message: str) -> None:
        """Receives a message that needs a line of its own."""

    def step(self, what: str) -> None:
        """Reports the current step: "copying the dataset" …"""

    def event(self, event: Event) -> None:
        """Receives an event of the engine while it loads the tables."""


class SearchProgress(Protocol):
    """Receives the progress of a search for the highest rate."""

    def note(self, message: str) -> None:
        """Receives a message that needs a line of its own."""

    def starting(self, number: int, of: int, left_s: float | None) -> None:
        """Reports that one of several starts begins, numbered from 1; `left_s` is estimated from those
        before.
        """

    def begun(self, capacity: float) -> None:
        """Reports the end of the closed loop; `capacity` is its transactions per second."""

    def probed(self, number: int, probe: Probe, known: SearchOutcome) -> None:
        """Reports the end of a window, numbered from 1; `known` is the answer from all windows so far."""
