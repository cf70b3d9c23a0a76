"""Runs the samplers of a run, server status and host, on the load's time line."""

from __future__ import annotations

import time
from itertools import count
from types import TracebackType

from assay.base.wording import counted
from assay.design.folder import Doubted, ResultsFolder, RunFolder, SamplerEntry
from assay.design.folder.viewers import LIMIT as WATCHED
from assay.measurement.source import SystemUnderTest
from assay.system.host import (
    Machine,
    SamplerSet,
    Source,
    SourceReport,
    canary,
    cores,
    cpu,
    disks,
    disks_under,
    frequency,
    measured_here,
    memory,
    network,
    others,
    others_measuring,
    pressure,
    processes,
    viewers,
)
from assay.system.server import Connection, StatusSource

_ONE_MORE_READING_S = 1.1
COSTLY = 0.02
"""Share of one processor above which reading a source is a load of its own."""


class Watch:
    """Runs the samplers while it is entered.

    `counters`: a connection to read a server's counters with, closed in the end; None: they are left out.
    `results`: the folder of all results, in which processes that show the study announce themselves.
    """

    def __init__(
        self,
        under_test: SystemUnderTest,
        folder: RunFolder,
        counters: Connection | None,
        results: ResultsFolder,
    ) -> None:
        self._status = None if counters is None else StatusSource(counters)
        self._processes = processes({} if under_test.pid is None else {"server": under_test.pid})
        self._canary = canary()
        under = [disk.name for path in under_test.paths for disk in disks_under(Machine(), path)]
        if under_test.volume is not None and under_test.volume.spare is not None:
            under.append(under_test.volume.spare.name)  # data come to be on it
        host: list[Source] = [cpu(), cores(), memory(), disks(also=under), network(), pressure()]
        # The lab's own server is among its descendants, whatever its address.
        served_by = [] if under_test.pid else measured_here(under_test.target)
        self._viewers = viewers(results)
        host += [frequency(), self._canary, others(served_by), self._viewers]
        self._others_measuring: dict[str, None] = {}
        own: list[Source] = [] if self._status is None else [self._status]
        self._samplers = SamplerSet(
            [*own, *host, self._processes], lambda source: folder.samples(source).path
        )

    def engine_started(self, pid: int) -> None:
        """Samples this process as the engine from now on."""
        self._processes.watch("engine", pid)
        self._viewers.begin_stretch()
        self._look_for_others()

    def generator_started(self, pid: int) -> None:
        """Samples this process as one more generator: `engine`, `engine-2` and so on. One that has ended is
        absent from the samples, and its name is given again.
        """
        number = next(n for n in count(1) if not self._processes.alive(_generator(n)))
        self._processes.watch(_generator(number), pid)
        self._look_for_others()

    def server_started(self, pid: int) -> None:
        """Samples this process as the server from now on."""
        self._processes.watch("server", pid)

    def doubts(self) -> list[Doubted]:
        """Returns doubts about samplers that failed or cost much, and about a machine that changed
        meanwhile.
        """
        noisy = self._canary.doubt()
        missing = [
            Doubted(
                kind="samples-missing",
                message=_missing(report),
                value=float(report.missed),
                limit=0.0,
            )
            for report in self._samplers.reports()
            if report.error is not None
        ]
        costly = [doubt for report in self._samplers.reports() if (doubt := costly_sampler(report))]
        measuring = [other_measurement(one) for one in self._others_measuring]
        watched = watching(self._viewers.highest_share())
        return [*missing, *costly, *(one for one in (noisy, watched) if one is not None), *measuring]

    def _look_for_others(self) -> None:
        self._others_measuring |= dict.fromkeys(others_measuring())

    def samplers(self) -> dict[str, SamplerEntry]:
        """Returns the statistics of each source, for the manifest."""
        return {
            report.source: SamplerEntry(
                readings=report.readings,
                missed=report.missed,
                cost_us=round(report.mean_cost_us, 1),
                cpu_us=round(report.mean_cpu_us, 1),
            )
            for report in self._samplers.reports()
        }

    def __enter__(self) -> Watch:
        self._samplers.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            time.sleep(_ONE_MORE_READING_S)  # so that the last window has a reading on either side
        self._look_for_others()
        self._samplers.stop()
        if self._status is not None:
            self._status.close()


def _generator(number: int) -> str:
    return "engine" if number == 1 else f"engine-{number}"


def other_measurement(what: str) -> Doubted:
    """Returns a doubt about another measurement on this machine; `what` is its announced name."""
    return Doubted(kind="other-measurement", message=f"another measurement ran on this machine: {what}")


def watching(share: float) -> Doubted | None:
    """Returns a doubt where showing the study took more than its share of a processor at some load point."""
    if share <= WATCHED:
        return None
    return Doubted(
        kind="watched",
        message=f"showing this study while it ran took {share:.1%} of a processor",
        value=share,
        limit=WATCHED,
    )


def _missing(report: SourceReport) -> str:
    are = "is" if report.missed == 1 else "are"
    return f"{counted(report.missed, 'reading')} of {report.source} {are} missing: {report.error}"


def costly_sampler(report: SourceReport) -> Doubted | None:
    """Returns a doubt about a source that takes more than its share of a processor."""
    share = report.mean_cpu_us / 1e6
    if share <= COSTLY:
        return None
    return Doubted(
        kind="costly-sampler",
        message=f"reading {report.source} took {share:.1%} of a processor: the sampler itself was a load",
        value=share,
        limit=COSTLY,
    )
