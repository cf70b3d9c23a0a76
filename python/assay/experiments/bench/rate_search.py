"""Carries out `assay bench … --find-rate`: finds the highest arrival rate that meets an objective of response
time.

The decisions are made in `Search` (pure, proved by simulation); this module measures the windows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

import msgspec

from assay.base.errors import HostError, Interrupted
from assay.design.folder import Event, RunResult
from assay.experiments.bench.probe import Objective, Probe, Queue, judge
from assay.experiments.bench.progress import SearchProgress
from assay.experiments.bench.request import Bench
from assay.system.engine import Interrupts, jobs, per_second, run_job
from assay.system.host import LookAround, measuring

_BEYOND_EXPECTED = 10
"""Operations that may be too slow in a window at the knee: with fewer, one more or less would decide."""
_LONGEST = 10
"""A window at a low rate lasts at most so many times the window asked for."""
_WARMUP = 0.25
"""Warm-up as a share of the window, at the window's rate: the queue must be as long as it will be."""
_DRAIN_MS = 2000
_FEWEST_EACH = 2
"""Transactions that every connection must have ended in the window from which the capacity is taken."""
_WINDOWS = 5
"""Windows that are measured for the capacity at most, each twice as long as the one before."""


class SearchOutcome(Protocol):
    """The outcome of a search, with rates per second; see `assay.results.stats.knee.Knee`."""

    @property
    def rate(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def end(self) -> str: ...


class Search(Protocol):
    """Decides where to measure next, and what the answer is."""

    def next_rate(self) -> float | None: ...
    def tell(self, rate: float, beyond: int, total: int) -> None: ...
    def knee(self) -> SearchOutcome: ...


@dataclass(frozen=True)
class RateQuestion:
    """The objective and the settings of a search. `search` begins one, given the capacity and the lowest rate
    worth a window.
    """

    objective: Objective
    window_s: float
    confidence: float
    search: Callable[[float, float], Search]
    starts: int | None = None  # None: as many as the kind of server asks for


@dataclass(frozen=True)
class Searched:
    """The answer of a search with its windows; `complete` is False after an interrupt."""

    bench: Bench
    question: RateQuestion
    capacity: float
    found: SearchOutcome
    probes: Sequence[Probe]
    complete: bool
    doubts: tuple[str, ...] = ()  # about the capacity, in words

    def record(self) -> dict[str, Any]:
        """Returns the search as a record for JSON; rates per second, times in milliseconds."""
        bench, question, found = self.bench, self.question, self.found
        settings = bench.settings() | {"time_s": question.window_s, "rate": None, "arrivals": bench.arrivals}
        return {
            "workload": bench.workload,
            "objective": asdict(question.objective),
            "rate": found.rate,
            "low": found.low,
            "high": found.high,
            "confidence": question.confidence,
            "end": str(found.end),
            "capacity_tps": self.capacity,
            "doubts": list(self.doubts),
            "probes": [probe.as_record() for probe in self.probes],
            "settings": settings,
            "complete": self.complete,
        }


def find_rate(bench: Bench, question: RateQuestion, progress: SearchProgress) -> Searched:
    """Searches for the highest rate. Raises a window's error; an interrupt ends the search with the windows
    measured until then.
    """
    look = LookAround(bench.job().target)
    with Interrupts() as interrupts, measuring(f"assay bench {bench.workload}"):
        seeker = _Seeker(bench, question, interrupts, lambda event: look.hear(event, progress.note))
        capacity = seeker.capacity()
        for doubt in capacity.doubts:
            progress.note(doubt)
        progress.begun(capacity.rate)
        search = question.search(capacity.rate, seeker.fewest / (_LONGEST * question.window_s))
        probes: list[Probe] = []
        while not interrupts.requested and (rate := search.next_rate()) is not None:
            try:
                probe = seeker.probe(rate, number=len(probes) + 1)
            except Interrupted:
                break  # a window that was cut short says nothing about its rate
            search.tell(rate, probe.beyond, probe.total)
            probes.append(probe)
            progress.probed(len(probes), probe, search.knee())
    whole = not interrupts.requested
    return Searched(bench, question, capacity.rate, search.knee(), probes, whole, capacity.doubts)


@dataclass(frozen=True)
class Capacity:
    """The transactions per second of a closed loop, and why they may not be the server's capacity."""

    rate: float
    doubts: tuple[str, ...]


def _uncertain(fewest: int, result: RunResult) -> str:
    return (
        f"the closed loop may not show the capacity: in {result.elapsed_s:.0f} s a connection ended"
        f" {fewest or 'no'} transaction{'s' if fewest != 1 else ''}; give a longer --probe-time, or fewer"
        " --threads"
    )


@dataclass(frozen=True)
class _Seeker:
    bench: Bench
    question: RateQuestion
    interrupts: Interrupts
    listener: Callable[[Event], None]

    @property
    def fewest(self) -> float:
        """The fewest operations that a window must have."""
        return _BEYOND_EXPECTED / (1 - self.question.objective.share)

    def capacity(self) -> Capacity:
        """Returns the transactions per second of a closed loop, which also warms the server up.

        Its window is doubled until every connection has ended some transactions in it: where a transaction
        takes longer than the window, what ends in it says nothing about the server.
        """
        length = self.question.window_s
        for _ in range(_WINDOWS):
            warmup = max(self.bench.warmup, _WARMUP * length)
            closed = replace(self.bench, rate=0.0, time=length, warmup=warmup, events=0)
            result = self._measure(closed, Queue())
            fewest = result.connections.min
            if fewest >= _FEWEST_EACH:
                break
            length *= 2
        rate = per_second(result.transactions, result.elapsed_s)
        if rate <= 0:
            raise HostError(
                "cannot find the capacity: no transaction ended in the closed loop",
                hint="give a longer --probe-time, or check the server",
            )
        doubts = () if fewest >= _FEWEST_EACH else (_uncertain(fewest, result),)
        return Capacity(rate, doubts)

    def probe(self, rate: float, *, number: int) -> Probe:
        """Measures one window, with a seed of its own, since the same arrivals every time would prove
        little.
        """
        length = self.question.window_s
        length = min(max(length, self.fewest / rate), _LONGEST * length)
        window = replace(
            self.bench,
            rate=rate,
            time=length,
            warmup=_WARMUP * length,
            events=0,
            seed=self.bench.seed + number,
        )
        queue = Queue()
        result = self._measure(window, queue)
        return judge(result, queue, self.question.objective, rate=rate, connections=self.bench.threads)

    def _measure(self, bench: Bench, queue: Queue) -> RunResult:
        job = bench.job()
        phases = msgspec.structs.replace(job.phases, drain_ms=_DRAIN_MS, interval_ms=500)
        job = msgspec.structs.replace(job, phases=phases)
        env = {} if bench.password is None else {jobs.PASSWORD_ENV: bench.password}

        def hear(event: Event) -> None:
            self.listener(event)
            queue.heard(event)

        outcome = run_job(job, interrupts=self.interrupts, on_event=hear, env=env)
        self.interrupts.raise_if_requested()  # the engine's exit code then says no more than that
        result = outcome.require().result
        assert result is not None
        return result
