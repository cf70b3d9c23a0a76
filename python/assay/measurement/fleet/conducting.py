"""Conducts one load of several generators: they begin at one instant, measure one window, and end together.

Once begun, the generators need nobody. The coordinator listens, and ends the load of all when one of them is
lost: what the others would go on with is not the load that was asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

import msgspec

from assay.base.errors import GeneratorLost
from assay.base.format.event import Ready
from assay.base.format.job import FixedWarmup, Job, NoneWarmup, UntilSteadyWarmup
from assay.design.folder import Event, Interval, decode_event
from assay.measurement.fleet.clock import ClockReading, ClockSpan
from assay.measurement.fleet.contract import Generator
from assay.measurement.fleet.merging import GeneratorEvents, Merger
from assay.system.engine import Interrupts, WarmupAnswers, warmup_answers

_LOOK_S = 0.1
_MS = 10**6
_S = 10**9
_BARRIER_S = 10.0
"""Seconds beyond the time that a login may take, after which a generator that is not ready is lost."""
_SILENT_INTERVALS, _SILENT_S = 3, 3.0
"""A generator is lost that says nothing for so many intervals of the load, and at least for so long."""
_BEYOND_S = 30.0
"""Seconds beyond window and drain after which a generator that has not ended is lost: the engine's own hard
end.
"""
_DRAIN_S, _ENDS_S = 5.0, 3.0
"""How long the others may take to end after one is lost: for what is in flight, and besides."""
_ROUND_TRIPS = 20
"""Round trips to the farthest host within which the word of the start must have arrived everywhere."""
_AHEAD_INTERVALS = 3
"""Intervals between a look at the warm-up and the window that follows from it. The engine needs two, and may
hear of it in the next interval.
"""


@dataclass(frozen=True)
class Lost:
    """The loss of a generator; the instant is on the coordinator's CLOCK_MONOTONIC."""

    name: str
    host: str
    at_ns: int
    cause: str


@dataclass(frozen=True)
class Questions:
    """How many statements the server has counted from the last word of a generator that is ready to the end
    of all, and the seconds between the two readings.
    """

    counted: int
    elapsed_s: float


@dataclass
class Conducted:
    """How a load of several generators went."""

    merger: Merger
    clocks: Mapping[str, ClockReading]
    """The clock of each generator before the load."""
    clocks_after: dict[str, ClockReading] = field(default_factory=dict)
    """And after it, of those whose host can be reached."""
    start_ns: int | None = None
    window_ns: int | None = None
    steady: bool | None = None
    questions: Questions | None = None
    """None where the server's own count could not be read at both ends."""
    lost: list[Lost] = field(default_factory=list)
    failed: GeneratorEvents | None = None
    """The generator whose error ended the load: the server refused, or went away; the job is wrong."""
    late: list[str] = field(default_factory=list)
    """Generators that missed the start."""
    exit_codes: dict[str, int | None] = field(default_factory=dict)

    def clock(self, name: str) -> ClockSpan:
        """Returns the clock of a generator over the load."""
        before = self.clocks[name]
        return ClockSpan(before, self.clocks_after.get(name, before))

    @property
    def whole(self) -> bool:
        return not (self.lost or self.failed or self.late)


class Conductor:
    """Conducts one load. `say` takes each event of the fleet, and `parts` are the files of the generators'
    own events, by name. `count` reads the server's own count of statements. Raises `GeneratorLost` where the
    clock of a generator cannot be read, since its host is gone.
    """

    def __init__(
        self,
        job: Job,
        generators: Sequence[Generator],
        *,
        lead_s: float,
        parts: Mapping[str, IO[bytes]],
        say: Callable[[Event], None],
        interrupts: Interrupts,
        count: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._job = job
        self._count = count
        self._counted: tuple[int, int] | None = None
        self._phases = job.phases
        self._generators = {one.share.name: one for one in generators}
        self._lead_ns = int(lead_s * _S)
        self._parts = parts
        self._say = say
        self._interrupts = interrupts
        self._queue: SimpleQueue[tuple[str, bytes | None]] = SimpleQueue()
        self._answers: WarmupAnswers | None = None
        self._rates: list[tuple[int, float]] = []  # of the warm-up, that its answers have not heard
        self._window_end_ns: int | None = None
        self._heard_at: dict[str, int] = {}
        self._left = set(self._generators)
        self._given_up: set[str] = set()
        self._kill_at_ns: int | None = None
        self._ready_by_ns = 0
        self._looked_at = self._awake_ns = 0
        clocks = {name: _clock_before(one) for name, one in self._generators.items()}
        offsets = {name: clock.offset.offset_ns for name, clock in clocks.items()}
        self.outcome = Conducted(Merger(generators, offsets), clocks)

    def conduct(self) -> Conducted:
        """Conducts the load to its end; every generator has ended, or is given up and killed."""
        login_s = self._job.target.connect_timeout_ms / 1000
        self._ready_by_ns = time.monotonic_ns() + int((login_s + _BARRIER_S) * _S)
        readers = [
            Thread(target=self._read, args=(one,), name=f"generator-{name}", daemon=True)
            for name, one in self._generators.items()
        ]
        with ExitStack() as stack:
            if isinstance(self._phases.warmup, UntilSteadyWarmup):
                self._answers = stack.enter_context(warmup_answers(self._phases))
            for one in self._generators.values():
                stack.enter_context(self._interrupts.forwarded_to(one))
            for reader in readers:
                reader.start()
            while self._left:
                try:
                    name, line = self._queue.get(timeout=_LOOK_S)
                except Empty:
                    pass
                else:
                    self._take(name, line)
                self._look(time.monotonic_ns())
        self._count_again()
        for name, one in self._generators.items():
            with suppress(OSError):
                self.outcome.clocks_after[name] = one.read_clock()
        return self.outcome

    def _count_again(self) -> None:
        if self._counted is None or (counted := self._count()) is None:
            return
        before, at_ns = self._counted
        self.outcome.questions = Questions(counted - before, (time.monotonic_ns() - at_ns) / _S)

    def _read(self, generator: Generator) -> None:
        """Hands on the lines of a generator, in a thread of its own, and None at their end."""
        name = generator.share.name
        try:
            for line in generator.lines():
                # Not where it is taken: a coordinator that is busy must not take others for silent.
                self._heard_at[name] = time.monotonic_ns()
                self._queue.put((name, line))
        finally:
            self._queue.put((name, None))

    def _take(self, name: str, line: bytes | None) -> None:
        if name not in self._left:
            return
        if line is None:
            self._ended(name)
            return
        self._parts[name].write(line)
        self._parts[name].flush()
        try:
            event = decode_event(line)
        except msgspec.DecodeError as broken:
            if not self._is_ending:  # else a kill may have cut it short
                self._lose(name, f"it wrote a line that is not an event: {broken}")
            return
        self._pass_on(self.outcome.merger.hear(name, event))
        if isinstance(event, Ready) and self.outcome.start_ns is None and not self._is_ending:
            heard = self.outcome.merger.heard.values()
            if all(one.ready is not None for one in heard):
                self._go()

    def _pass_on(self, events: Iterator[Event]) -> None:
        for event in events:
            if isinstance(event, Interval) and event.phase == "warmup":
                seconds = (event.end_ns - event.start_ns) / _S
                ends = event.end_ns + self.outcome.merger.base_ns() - (self.outcome.start_ns or 0)
                self._rates.append((max(ends, 0), event.transactions / seconds if seconds > 0 else 0.0))
            self._say(event)

    def _go(self) -> None:
        """Says to each generator, on its own clock, when the load begins."""
        if (counted := self._count()) is not None:
            self._counted = counted, time.monotonic_ns()
        slowest = max(2 * clock.offset.bound_ns for clock in self.outcome.clocks.values())
        start = time.monotonic_ns() + max(self._lead_ns, _ROUND_TRIPS * slowest)
        for one in self._generators.values():
            one.say({"command": "go", "start_monotonic_ns": self._on_its_clock(one, start)})
        self.outcome.start_ns = start
        match self._phases.warmup:
            case NoneWarmup():
                self._place(start)
            case FixedWarmup(duration_ms=duration):
                self._place(start + duration * _MS)
            case _:
                pass

    def _on_its_clock(self, generator: Generator, instant_ns: int) -> int:
        return instant_ns + self.outcome.clocks[generator.share.name].offset.offset_ns

    def _place(self, window_ns: int) -> None:
        self.outcome.window_ns = window_ns
        if self._phases.measure_ms:
            self._window_end_ns = window_ns + self._phases.measure_ms * _MS

    @property
    def _is_ending(self) -> bool:
        return self._kill_at_ns is not None

    def _look(self, now: int) -> None:
        """Looks at what is due: a window, a generator that is silent, a kill."""
        if self._kill_at_ns is not None:
            if now > self._kill_at_ns:
                self._give_up_all()
            return
        if self._interrupts.requested:
            self._end_all(now)
            return
        start = self.outcome.start_ns
        if start is None:
            if now > self._ready_by_ns:
                for name in sorted(self._left):
                    if self.outcome.merger.heard[name].ready is None:
                        self._lose(name, "it did not become ready in time")
            return
        if now > start:
            self._look_for_level(start, now)
            self._look_for_silence(start, now)

    def _look_for_level(self, start: int, now: int) -> None:
        if self._answers is None or self.outcome.window_ns is not None:
            return
        steady = self._answers.outcome(now - start, self._rates)
        self._rates = []
        if steady is None:
            return
        interval = self._phases.interval_ms * _MS
        window = start + ((now - start) // interval + _AHEAD_INTERVALS) * interval
        for one in self._generators.values():
            one.say({"command": "window", "start_monotonic_ns": self._on_its_clock(one, window)})
        self._place(window)
        self.outcome.steady = steady

    def _look_for_silence(self, start: int, now: int) -> None:
        interval = self._phases.interval_ms * _MS
        lease = max(_SILENT_INTERVALS * interval, int(_SILENT_S * _S))
        if now - self._looked_at > lease // 2:  # this process was stopped, and has heard nobody meanwhile
            self._awake_ns = now
        self._looked_at = now
        end = self._window_end_ns
        for name in sorted(self._left):
            if self.outcome.merger.heard[name].result is not None:
                continue
            silent = now - max(self._heard_at.get(name, start), start, self._awake_ns)
            if silent > lease and (end is None or now < end):
                self._lose(name, f"it said nothing for {silent / _S:.1f} s")
            elif end is not None and now > end + self._phases.drain_ms * _MS + int(_BEYOND_S * _S):
                self._lose(name, "it did not end with the load")

    def _ended(self, name: str) -> None:
        """Judges a generator whose events have ended."""
        generator, heard = self._generators[name], self.outcome.merger.heard[name]
        code = generator.gone(_ENDS_S)
        self._leave(name, code)
        if name in self._given_up:
            return
        asked = self._is_ending or self._interrupts.requested
        if (code == 0 and heard.result is not None) or (code == 130 and asked):
            return
        if heard.has_doubt("late-start"):
            self.outcome.late.append(name)
        elif heard.fatal is not None and heard.fatal.kind != "host":
            self.outcome.failed = self.outcome.failed or heard
        else:
            self._note_loss(name, _cause(code, heard, generator.complaint()))
        self._end_all(time.monotonic_ns())

    def _lose(self, name: str, cause: str) -> None:
        """Gives a generator up that is there no longer, or silent, and ends the others."""
        self._note_loss(name, cause)
        self._give_up(name)
        self._end_all(time.monotonic_ns())

    def _note_loss(self, name: str, cause: str) -> None:
        host = self._generators[name].share.host
        self.outcome.lost.append(Lost(name, host, time.monotonic_ns(), cause))

    def _give_up(self, name: str) -> None:
        self._given_up.add(name)
        generator = self._generators[name]
        generator.kill()
        self._leave(name, generator.gone(_ENDS_S))

    def _leave(self, name: str, code: int | None) -> None:
        self._left.discard(name)
        self.outcome.exit_codes[name] = code
        self._pass_on(self.outcome.merger.end(name))

    def _end_all(self, now: int) -> None:
        """Has all generators that are left end; those that do not are killed."""
        if self._is_ending:
            return
        drain_s = min(self._phases.drain_ms / 1000, _DRAIN_S)
        self._kill_at_ns = now + int((drain_s + _ENDS_S) * _S)
        for name in sorted(self._left):
            self._generators[name].say({"command": "stop"})
            self._generators[name].close()

    def _give_up_all(self) -> None:
        for name in sorted(self._left):
            self._give_up(name)


def _clock_before(generator: Generator) -> ClockReading:
    try:
        return generator.read_clock()
    except OSError as error:
        share = generator.share
        raise GeneratorLost(
            f"generator {share.name} on {share.host} was lost before the load began: {error}",
            hint="this run does not count; the same command repeats it with its block",
        ) from error


def _cause(code: int | None, heard: GeneratorEvents, complaint: str) -> str:
    if code is None:
        return complaint or "it closed its output and did not end"
    if code < 0:
        return f"it was ended by signal {-code}" + (f": {complaint}" if complaint else "")
    said = heard.fatal.message if heard.fatal is not None else complaint
    return f"it ended with exit code {code}" + (f": {said}" if said else "")
