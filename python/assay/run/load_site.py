"""A rung, and the interface in which rungs on a server and rungs on storage differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from assay.engine import per_second
from assay.folder import WHOLE, Doubted, RungEntry, RungFolder, RunResult
from assay.format.job import AnyJob
from assay.server import Connection
from assay.tally import percentile_ms

Moment = Literal["before", "after"]


@dataclass(frozen=True)
class Rung:
    """A load point of a run. `number` is its position in the run, from 1; `entry` is for the manifest."""

    number: int
    load: float
    entry: RungEntry
    folder: RungFolder


class LoadSite(Protocol):
    """The place of one run's load: `OnServer` or `OnStorage`."""

    def counters(self) -> Connection | None:
        """Opens a connection to sample a server's counters; None where there is no server."""

    def begin(self) -> None:
        """Records facts of server and machine before the load."""

    def job(self, rung: Rung) -> AnyJob:
        """Returns the engine's job for a rung."""

    def before(self, rung: Rung, job: AnyJob) -> list[Doubted]:
        """Prepares a rung; returns doubts about how well it is prepared."""

    def after(self, rung: Rung) -> None:
        """Records what a successful rung left."""

    def headline(self, result: RunResult) -> str:
        """Returns a rung's result in a few words."""

    def end(self) -> list[Doubted]:
        """Checks what the load must not have broken, and records facts of server and machine after it.

        Returns doubts about changes meanwhile; raises an error that makes the run count as failed.
        """


def rate_and_p95(result: RunResult, unit: str, digits: int) -> str:
    """Returns a result as `1,234 tps, p95 5.67 ms`; without the percentile where nothing was timed."""
    whole = result.labels.get(WHOLE)
    p95 = None if whole is None else percentile_ms(whole.response or whole.service, 0.95)
    rate = per_second(result.transactions, result.elapsed_s)
    return f"{rate:,.0f} {unit}" + ("" if p95 is None else f", p95 {p95:.{digits}f} ms")
