"""Interim estimates of a study that is not over: values with intervals, and no words.

A verdict holds for a number of blocks that was planned before the first. Whoever looks at a study after each
block and stops where it pleases finds differences that are none, so what is shown meanwhile has no word.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from assay.base.inner_path import InnerPath
from assay.design.folder import ResultsFolder, RunResult, decode_event, response_times
from assay.reporting.live.course import CourseRun
from assay.results.stats import geometric_interval, mean_interval, paired_ratio
from assay.system.engine import per_second

CONFIDENCE = 0.95
_END = 1 << 16


@dataclass(frozen=True)
class RungOutcome:
    """What a load point of a finished run came to, by the formulas of the report."""

    rung: str
    load: float
    rate: float  # transactions per second, of storage operations
    p95_ms: float | None
    p95_at_least: bool
    transactions: int
    errors: int
    seconds: float


@dataclass(frozen=True)
class Interim:
    """One row: a treatment at a load. `ratio` is to the first treatment in the same blocks, None for that
    itself. The ends of intervals are None below two blocks.
    """

    load: float
    treatment: str
    blocks: int
    rate: float
    low: float | None
    high: float | None
    p95_ms: float | None
    p95_at_least: bool = False  # operations never ended: the true one may be any above
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    ratio_blocks: int = 0


class Outcomes:
    """The outcomes of finished runs, each read once from the last line of its events."""

    def __init__(self, folder: ResultsFolder) -> None:
        self._folder = folder
        self._known: dict[tuple[str, int], list[RungOutcome]] = {}

    def of(self, run: CourseRun) -> list[RungOutcome]:
        """Returns the outcome of each load point of a finished run; none where an experiment has no
        result.
        """
        key = (run.run, run.ended_ns)
        if key not in self._known:
            self._known[key] = list(_outcomes(self._folder, run.run))
        return self._known[key]


def _outcomes(folder: ResultsFolder, run: str) -> Iterable[RungOutcome]:
    for rung in folder.run(run).rungs():
        result = last_result(rung.events)
        load = _load_of(rung.path.name)
        if result is not None and load is not None:
            yield outcome_of(rung.path.name, load, result)


def outcome_of(rung: str, load: float, result: RunResult) -> RungOutcome:
    """Returns what a result came to."""
    times = response_times(result)
    p95 = None if times is None else times.percentile(0.95)
    return RungOutcome(
        rung=rung,
        load=load,
        rate=per_second(result.transactions, result.elapsed_s),
        p95_ms=None if p95 is None else p95.ms,
        p95_at_least=p95 is not None and p95.at_least,
        transactions=result.transactions,
        errors=sum(result.errors.values()),
        seconds=result.elapsed_s,
    )


def last_result(events: InnerPath) -> RunResult | None:
    """Returns the result in a file of events, which is in its last lines; None where there is none."""
    try:
        with events.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            size = _END
            while True:
                file.seek(max(end - size, 0))
                lines = file.read(size).split(b"\n")
                for line in reversed(lines if size >= end else lines[1:]):
                    if line.startswith((b'{"event":"result"', b'{"event": "result"')):
                        event = decode_event(line)
                        return event if isinstance(event, RunResult) else None
                if size >= end:
                    return None
                size *= 8
    except (OSError, msgspec.DecodeError):
        return None


def so_far(runs: Sequence[CourseRun], outcomes: Outcomes, treatments: Sequence[str]) -> list[Interim]:
    """Returns the estimates of all runs that are done, by load and then by treatment, in the order of
    `treatments`, of which the first is the baseline.
    """
    rates: dict[tuple[float, str], dict[int, float]] = defaultdict(dict)
    p95s: dict[tuple[float, str], list[float]] = defaultdict(list)
    bounds = set()
    for run in runs:
        for found in outcomes.of(run) if run.state == "done" else ():
            rates[found.load, run.treatment][run.block] = found.rate
            if found.p95_ms is not None:
                p95s[found.load, run.treatment].append(found.p95_ms)
            if found.p95_at_least:
                bounds.add((found.load, run.treatment))
    return [
        replace(
            _row(load, treatment, rates, p95s[load, treatment], treatments[0]),
            p95_at_least=(load, treatment) in bounds,
        )
        for load in sorted({load for load, _ in rates})
        for treatment in treatments
        if (load, treatment) in rates
    ]


def _row(
    load: float,
    treatment: str,
    rates: dict[tuple[float, str], dict[int, float]],
    p95s: Sequence[float],
    baseline: str,
) -> Interim:
    blocks = rates[load, treatment]
    values = list(blocks.values())
    mean = geometric_interval if all(value > 0 for value in values) else mean_interval
    found = mean(values, CONFIDENCE)
    row = Interim(
        load=load,
        treatment=treatment,
        blocks=len(blocks),
        rate=found.value,
        low=found.low,
        high=found.high,
        p95_ms=mean_of(p95s),
    )
    first = {} if treatment == baseline else rates.get((load, baseline), {})
    both = sorted(blocks.keys() & first.keys())
    before, after = [first[block] for block in both], [blocks[block] for block in both]
    if not both or min(*before, *after) <= 0:
        return row
    ratio = paired_ratio(before, after, CONFIDENCE)
    return Interim(
        load=row.load,
        treatment=row.treatment,
        blocks=row.blocks,
        rate=row.rate,
        low=row.low,
        high=row.high,
        p95_ms=row.p95_ms,
        ratio=ratio.ratio,
        ratio_low=ratio.low,
        ratio_high=ratio.high,
        ratio_blocks=ratio.n,
    )


def mean_of(values: Sequence[float]) -> float | None:
    """Returns the geometric mean of positive values; None without any."""
    kept = [value for value in values if value > 0]
    return geometric_interval(kept, CONFIDENCE).value if kept else None


def _load_of(rung: str) -> float | None:
    """Returns the load of a rung by the name of its folder: 8 of `02-threads-8`."""
    try:
        return float(rung.split("-", 2)[2])
    except (IndexError, ValueError):
        return None
