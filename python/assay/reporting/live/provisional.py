"""Doubts about the load point under way, found while it runs. Each is provisional until the load point is
over: it is then confirmed, or withdrawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.base.doubts import RungFigures, doubts_of, figures_of
from assay.base.tally import Histogram, decode, merge
from assay.design.folder import (
    WHOLE,
    Doubt,
    ErrorEvent,
    Event,
    Hello,
    Interval,
    PhaseStart,
    RunResult,
    Sample,
)
from assay.design.folder.live import LabEnded, RunBegun, RunOver
from assay.design.folder.others import SOURCE as OTHERS
from assay.design.folder.others import STEAL_LIMIT, others_between
from assay.reporting.live.following import EngineEvent, RungOpened, Sampled, Told
from assay.reporting.live.reduction import Second, second_of
from assay.system.host import noisy_canary

DoubtState = Literal["provisional", "confirmed", "withdrawn"]

ENOUGH_S = 5.0
"""Seconds of the window before a share over it is doubted: the first second of a window tells little."""

CLOCK = 0.8
"""Share of its highest rate to which the processors' clock may fall. What the figures of a load point
raise is found by the functions that judge them when the run is over (`assay.base.doubts`).
"""
_IDLE = 0.02
"""Share of the connections that may have nothing in flight at the end of an interval: one is just between two
transactions.
"""

STRETCH = 10  # readings of the canary between two looks at it
_LATE_SHARE = 0.99


@dataclass(frozen=True)
class Doubting:
    """One doubt. `figures` are those of its message; `value` and `limit` as in a doubt of the report."""

    kind: str
    run: str
    rung: str
    message: str
    at_wall_ns: int
    state: DoubtState = "provisional"
    figures: Mapping[str, str | float] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What tells it from others, as a text."""
        return f"{self.run}/{self.rung}/{self.kind}"


@dataclass
class _Rung:
    """What was seen of the load point under way: sums over its window so far, since a window may be of many
    hours.
    """

    run: str = ""
    name: str = ""
    hello: Hello | None = None
    seconds: float = 0.0
    transactions: int = 0
    failed: int = 0
    time_ms: float = 0.0  # of all transactions
    longest_ms: float = 0.0
    used_s: float = 0.0  # processor time of the generator
    late: Histogram | None = None  # how late the generator started arrivals
    errors: dict[int, int] = field(default_factory=dict)
    began_ns: int | None = None  # of the window, on the wall clock
    ended_ns: int | None = None
    is_shared: bool = False  # connections are shared by terminals, whose times begin with a wait
    idle: int = 0  # connections without a transaction, over all ends of intervals
    intervals: int = 0
    on_files: bool = False  # there the generator's own work is the load
    result: RunResult | None = None
    first: dict[str, Sample] = field(default_factory=dict)  # readings inside the window, by source
    last: dict[str, Sample] = field(default_factory=dict)
    at_wall_ns: int = 0
    is_over: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether it is a closed loop on a server: there Little's law holds for the connections."""
        return "-threads-" in self.name

    def add(self, second: Second) -> None:
        """Takes in a second of the window."""
        self.seconds += second.seconds
        self.transactions += second.transactions
        self.failed += second.failed
        self.time_ms += second.mean_ms * second.transactions
        self.longest_ms = max([self.longest_ms, *second.times_ms[-1:]])
        self.used_s += second.processors * second.seconds

    def note_idle(self, interval: Interval) -> None:
        """Takes in how many connections have nothing in flight at the end of an interval of the window."""
        whole = interval.labels.get(WHOLE)
        self.on_files = self.on_files or interval.io_bytes is not None
        self.is_shared = self.is_shared or (whole is not None and whole.wait is not None)
        self.idle += max(0, (0 if self.hello is None else self.hello.connections) - interval.in_flight)
        self.intervals += 1

    def note_late(self, lateness: str) -> None:
        """Takes in how late the arrivals of an interval of the window were started."""
        late = decode(lateness)
        self.late = late if self.late is None else merge([self.late, late])

    def figures(self) -> RungFigures:
        """Returns what doubts are drawn from: the result once there is one, before it the sums so far.

        The sums of the first few seconds tell too little for a share.
        """
        threads = 0 if self.hello is None else self.hello.threads
        connections = 0 if self.hello is None else self.hello.connections
        if self.result is not None:
            found = figures_of(self.result, threads=threads)
            return replace(found, connections=connections or found.connections)
        late_ms = (
            self.late.percentile(_LATE_SHARE) / 1e6 if self.late is not None and self.late.total else None
        )
        if self.seconds < ENOUGH_S or self.on_files:
            return RungFigures(late_ms=late_ms)
        # Connections that have nothing in flight may think: only the result says how long.
        thinks = self.idle > _IDLE * connections * self.intervals
        return RungFigures(
            elapsed_s=self.seconds,
            transactions=self.transactions,
            failed=self.failed,
            connections=connections,
            fills_connections=self.is_closed and not self.is_shared,
            mean_ms=self.time_ms / self.transactions if self.transactions else None,
            longest_ms=self.longest_ms,
            think_ms=None if thinks else 0.0,
            processor_s=self.used_s,
            threads=threads,
            late_ms=late_ms,
        )

    def sampled(self, source: str, sample: Sample) -> None:
        """Takes in a reading; those outside the window are passed over."""
        if self.began_ns is None or sample.wall_ns < self.began_ns:
            return
        if self.ended_ns is None or sample.wall_ns <= self.ended_ns:
            self.first.setdefault(source, sample)
            self.last[source] = sample

    def span_s(self, source: str) -> float:
        """Returns the seconds between the first and the last reading of a source."""
        if source not in self.first:
            return 0.0
        return (self.last[source].wall_ns - self.first[source].wall_ns) / 1e9


class Doubts:
    """Takes in what a `Follower` tells, and keeps the doubts of the study so far."""

    def __init__(self) -> None:
        self.all: dict[str, Doubting] = {}
        self._rung = _Rung()
        self._canary: list[float] = []
        self._clock_mhz = 0.0
        self._changed: dict[str, Doubting] = {}

    def take(self, told: Told) -> list[Doubting]:
        """Takes in one thing, and returns the doubts that appeared or changed by it."""
        self._changed = {}
        match told:
            case RungOpened():
                self._settle()
                if told.run != self._rung.run:
                    self._canary.clear()
                self._rung = _Rung(told.run, told.rung)
            case EngineEvent():
                self._hear(told.event)
            case Sampled():
                self._sample(told.source, told.sample)
            case RunOver():
                self._settle()
                self._of_lab(told)
            case RunBegun() | LabEnded():
                self._settle()
            case _:
                pass
        return list(self._changed.values())

    def _hear(self, event: Event) -> None:
        rung = self._rung
        epoch_ns = 0 if rung.hello is None else rung.hello.epoch_wall_ns
        match event:
            case Hello():
                rung.hello = event
            case PhaseStart(phase="measure"):
                rung.began_ns = epoch_ns + event.start_ns
            case Interval():
                rung.at_wall_ns = epoch_ns + event.end_ns
                for code, count in event.errors.items():
                    rung.errors[code] = rung.errors.get(code, 0) + count
                if event.phase == "measure":
                    rung.add(second_of(event, epoch_ns))
                    rung.note_idle(event)
                    if event.pacing is not None:
                        rung.note_late(event.pacing.lateness)
                self._look()
            case Doubt():
                figures: dict[str, str | float] = {"value": event.value, "limit": event.limit}
                self._put(event.kind, event.message, figures, state="confirmed")
            case ErrorEvent(fatal=True):
                self._put("fatal-error", event.message, {}, state="confirmed")
            case RunResult():
                rung.ended_ns = epoch_ns + event.end_ns
                rung.result = event
            case _:
                pass

    def _of_lab(self, told: RunOver) -> None:
        """Takes in what the lab itself doubts of a run that is over, as its calibration said."""
        for doubt in told.doubts:
            given = {"value": doubt.value, "limit": doubt.limit}
            figures: dict[str, str | float] = {name: one for name, one in given.items() if one is not None}
            rung = "" if doubt.rung is None else doubt.rung.rpartition("/")[2]
            self._keep(
                Doubting(doubt.kind, told.run, rung, doubt.message, told.at_wall_ns, "confirmed", figures)
            )

    def _sample(self, source: str, sample: Sample) -> None:
        rung = self._rung
        if source == "canary" and "cpu_us" in sample.values:
            self._canary.append(sample.values["cpu_us"])
        if source == "frequency":
            self._clock_mhz = max(self._clock_mhz, sample.values.get("mean_mhz", 0.0))
        if rung.is_over or source not in _LOOKED_AT:
            return
        rung.sampled(source, sample)
        rung.at_wall_ns = max(rung.at_wall_ns, sample.wall_ns)
        if source == OTHERS:  # once a second is often enough
            self._look()

    def _settle(self) -> None:
        """Looks once more, at all of the load point, and confirms or withdraws its doubts."""
        rung = self._rung
        if rung.is_over or not rung.name:
            return
        found = self._look(at_end=True)
        rung.is_over = True
        for one in list(self.all.values()):
            if one.state == "provisional" and (one.run, one.rung) == (rung.run, rung.name):
                self._keep(replace(one, state="confirmed" if one.kind in found else "withdrawn"))

    def _look(self, *, at_end: bool = False) -> set[str]:
        """Makes all checks, and returns the kinds of doubt that hold now."""
        if self._rung.is_over:
            return set()
        found = set()
        for check in CHECKS:
            for kind, message, figures in check(self._rung):
                found.add(kind)
                self._put(kind, message, figures)
        # Its medians are over the whole run: now and then is often enough.
        if at_end or len(self._canary) % STRETCH == 0:
            canary = noisy_canary(self._canary)
            if canary is not None:
                found.add(canary.kind)
                self._put(canary.kind, canary.message, {"value": canary.value or 0.0})
        clock = self._clock()
        if clock is not None:
            found.add("slow-clock")
            message = f"the processors' clock fell to {clock:.0%} of its highest in this study"
            self._put("slow-clock", message, {"value": clock})
        return found

    def _clock(self) -> float | None:
        reading = self._rung.last.get("frequency")
        mhz = 0.0 if reading is None else reading.values.get("mean_mhz", 0.0)
        return mhz / self._clock_mhz if 0 < mhz < CLOCK * self._clock_mhz else None

    def _put(
        self,
        kind: str,
        message: str,
        figures: Mapping[str, str | float],
        state: DoubtState = "provisional",
    ) -> None:
        rung = self._rung
        made = Doubting(kind, rung.run, rung.name, message, rung.at_wall_ns, state, figures)
        known = self.all.get(made.key)
        if known is not None:
            if known.state == "confirmed":
                return
            made = replace(made, at_wall_ns=known.at_wall_ns)
        self._keep(made)

    def _keep(self, one: Doubting) -> None:
        if self.all.get(one.key) != one:
            self.all[one.key] = self._changed[one.key] = one


_LOOKED_AT = (OTHERS, "memory", "frequency")
"""Sources whose first and last readings inside the window are kept."""

_Found = tuple[str, str, Mapping[str, str | float]]


def _errors(rung: _Rung) -> Iterator[_Found]:
    for code, count in rung.errors.items():
        what = "lost connections" if code == 0 else f"error {code} of the server"
        yield f"error-{code}", f"{what}: {count} so far", {"code": code, "count": count}


def _figures(rung: _Rung) -> Iterator[_Found]:
    for doubt in doubts_of(rung.figures()):
        yield doubt.kind, doubt.message, {"value": doubt.value, "limit": doubt.limit}


def _others(rung: _Rung) -> Iterator[_Found]:
    if rung.span_s(OTHERS) < ENOUGH_S:
        return
    seen = others_between(rung.first[OTHERS].values, rung.last[OTHERS].values)
    if seen is None:
        return
    if seen.disturb:
        figures: dict[str, str | float] = {
            "value": seen.share,
            "processors": seen.processors,
            "programs": seen.named or "–",
        }
        yield "foreign-load", f"{seen.sentence}, which the server did not get", figures
    if seen.steal > STEAL_LIMIT:
        yield "stolen-time", seen.stolen_sentence, {"value": seen.steal}


def _swap(rung: _Rung) -> Iterator[_Found]:
    if not rung.span_s("memory"):
        return
    before, after = rung.first["memory"].values, rung.last["memory"].values
    names = ("swap_in_pages_total", "swap_out_pages_total")
    pages = sum(after.get(one, 0.0) - before.get(one, 0.0) for one in names)
    if pages > 0:
        message = f"this machine moved {pages:,.0f} pages of memory to or from its disk"
        yield "swapping", message, {"value": pages}


CHECKS: tuple[Callable[[_Rung], Iterator[_Found]], ...] = (_errors, _figures, _others, _swap)
"""Each looks at what was seen of the load point under way; a new one is a function and its place here."""
