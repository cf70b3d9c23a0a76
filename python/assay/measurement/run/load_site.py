"""A rung, and the interface in which rungs on a server and rungs on storage differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from assay.base.format.job import AnyJob
from assay.design.folder import Doubted, RungEntry, RungFolder, RunResult, response_times
from assay.system.engine import per_second
from assay.system.server import Connection

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
    times = response_times(result)
    rate = f"{per_second(result.transactions, result.elapsed_s):,.0f} {unit}"
    if times is None:
        return rate
    p95 = times.percentile(0.95)
    return f"{rate}, p95 {'≥ ' if p95.at_least else ''}{p95.ms:.{digits}f} ms"
