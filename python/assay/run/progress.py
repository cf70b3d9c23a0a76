"""What a study tells whoever shows its progress while it runs."""

from __future__ import annotations

from typing import Protocol

from assay.folder import Event, Failure


class RunProgress(Protocol):
    """Told by the loop what happens; draws it."""

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float) -> None:
        """`runs` in all, `done` of them before; planned seconds of loading data and of one run."""

    def run_started(self, run_id: str, number: int) -> None:
        """A run begins; `number` counts from 1 over the whole plan."""

    def step(self, what: str) -> None:
        """What is done now: "restoring the dataset", "threads 8" …"""

    def event(self, event: Event) -> None:
        """Something the engine said."""

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        """A run is over; `headline` sums up its rungs."""

    def note(self, message: str) -> None:
        """Something worth a line of its own."""

    def end(self) -> None:
        """Nothing follows."""
