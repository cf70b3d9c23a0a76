"""The protocol by which a study reports its progress to a display."""

from __future__ import annotations

from typing import Protocol

from assay.design.folder import Event, Failure


class RunProgress(Protocol):
    """Receives the progress of a study while its runs are carried out, several at a time where hosts of a
    fleet carry out its blocks.
    """

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        """Reports the beginning: `runs` in all, `done` of them before; planned seconds of loading data, of
        one run, and of judging all of them.
        """

    def run_started(self, run_id: str, number: int) -> None:
        """Reports that a run begins; `number` counts from 1 over the whole plan."""

    def step(self, what: str) -> None:
        """Reports the current step: "restoring the dataset", "threads 8" …"""

    def event(self, event: Event) -> None:
        """Receives an event of the engine."""

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        """Reports that a run has ended; `headline` sums up its rungs."""

    def note(self, message: str) -> None:
        """Receives a message that needs a line of its own."""

    def end(self) -> None:
        """Reports the end of the study."""
