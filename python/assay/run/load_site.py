"""A rung, and what differs between rungs on a server and rungs on storage."""

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
    """A load point of a run. `number`: its position in the run, from 1; `entry`: for the manifest."""

    number: int
    load: float
    entry: RungEntry
    folder: RungFolder


class LoadSite(Protocol):
    """What the rungs of one run are carried out on: `OnServer` or `OnStorage`."""

    def counters(self) -> Connection | None:
        """A connection to sample a server's own counters with; None where there are none to sample."""

    def begin(self) -> None:
        """Writes down what server and machine are before the load."""

    def job(self, rung: Rung) -> AnyJob:
        """What the engine is told."""

    def before(self, rung: Rung, job: AnyJob) -> list[Doubted]:
        """Makes ready for a rung; doubts about how ready it is."""

    def after(self, rung: Rung) -> None:
        """Writes down what a rung that went well left."""

    def headline(self, result: RunResult) -> str:
        """A rung's result in a few words."""

    def end(self) -> list[Doubted]:
        """Checks what the load must not have broken, and writes down what server and machine are now.

        Doubts about what changed meanwhile; raises what makes the run count as failed.
        """


def rate_and_p95(result: RunResult, unit: str, digits: int) -> str:
    """`1,234 tps, p95 5.67 ms`; without the percentile where nothing was timed."""
    whole = result.labels.get(WHOLE)
    p95 = None if whole is None else percentile_ms(whole.response or whole.service, 0.95)
    rate = per_second(result.transactions, result.elapsed_s)
    return f"{rate:,.0f} {unit}" + ("" if p95 is None else f", p95 {p95:.{digits}f} ms")
