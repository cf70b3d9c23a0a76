"""Merges the events of generators into those of one load, as they come.

The merged events are in the format of one engine's, so that nobody who reads them knows of fleets. Their
instants count from the epoch of the first generator, on the coordinator's clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from assay.base.format.event import GeneratorResult, Phase, Ready, Started
from assay.design.folder import Doubt, ErrorEvent, Event, Hello, Interval, PhaseStart, Progress, RunResult
from assay.measurement.fleet import sums
from assay.measurement.fleet.contract import Generator

_Key = tuple[Phase, int]


@dataclass
class GeneratorEvents:
    """All that one generator has said, but for its intervals, which are merged and left."""

    generator: Generator
    offset_ns: int
    """Its CLOCK_MONOTONIC minus the coordinator's."""
    hello: Hello | None = None
    ready: Ready | None = None
    started: Started | None = None
    result: RunResult | None = None
    fatal: ErrorEvent | None = None
    doubts: list[Doubt] = field(default_factory=list)
    progress: Progress | None = None
    arrivals: int | None = None
    """Open loop: arrivals of its intervals in the measured window."""
    ended: bool = False
    """Whether it says nothing more: its output has ended, or it is given up."""

    @property
    def name(self) -> str:
        return self.generator.share.name

    def epoch_ns(self) -> int:
        """Returns the epoch of its events on the coordinator's CLOCK_MONOTONIC."""
        assert self.hello is not None
        return self.hello.epoch_monotonic_ns - self.offset_ns

    def has_doubt(self, kind: str) -> bool:
        return any(doubt.kind == kind for doubt in self.doubts)


class Merger:
    """Takes in the events of generators, and gives those of the fleet in return.

    `offsets_ns`: each generator's CLOCK_MONOTONIC minus the coordinator's, by name.
    """

    def __init__(self, generators: Sequence[Generator], offsets_ns: Mapping[str, int]) -> None:
        self.heard = {one.share.name: GeneratorEvents(one, offsets_ns[one.share.name]) for one in generators}
        self._pending: dict[_Key, dict[str, Interval]] = {}
        self._phases: set[Phase] = set()
        self._waiting: list[tuple[str, Event]] = []
        """Events that came before every generator had said its hello."""
        self._said_hello = False

    def hear(self, name: str, event: Event) -> Iterator[Event]:
        """Takes in a generator's event; yields the events of the fleet that follow from it."""
        one = self.heard[name]
        if isinstance(event, Hello):
            one.hello = event
            if all(other.hello or other.ended for other in self.heard.values()):
                yield from self._begin()
        elif self._said_hello:
            yield from self._merged(one, event)
        else:
            self._waiting.append((name, event))
            if isinstance(event, ErrorEvent) and event.fatal:
                one.fatal = event

    def end(self, name: str) -> Iterator[Event]:
        """Notes that a generator says nothing more; yields the intervals that waited for it."""
        self.heard[name].ended = True
        if not self._said_hello and all(one.hello or one.ended for one in self.heard.values()):
            yield from self._begin()
        yield from self._whole_intervals()

    def at(self, one: GeneratorEvents, instant_ns: int) -> int:
        """Returns an instant of a generator's events as one of the fleet's; as it is where the generator
        never said where its epoch lies.
        """
        if one.hello is None:
            return instant_ns
        return max(instant_ns + one.epoch_ns() - self.base_ns(), 0)

    def base_ns(self) -> int:
        """Returns the epoch of the fleet's events on the coordinator's CLOCK_MONOTONIC; 0 where no generator
        has said its own.
        """
        epochs = (one.epoch_ns() for one in self.heard.values() if one.hello is not None)
        return next(epochs, 0)

    def _begin(self) -> Iterator[Event]:
        self._said_hello = True
        hellos = [one.hello for one in self.heard.values() if one.hello is not None]
        if hellos:
            debug = any(hello.build == "debug" for hello in hellos)
            yield replace(
                hellos[0],
                build="debug" if debug else hellos[0].build,
                threads=sum(hello.threads for hello in hellos),
                connections=sum(hello.connections for hello in hellos),
                epoch_monotonic_ns=self.base_ns(),
            )
        for name, event in self._waiting:
            yield from self._merged(self.heard[name], event)
        self._waiting = []

    def _merged(self, one: GeneratorEvents, event: Event) -> Iterator[Event]:
        match event:
            case PhaseStart():
                if event.phase not in self._phases:
                    self._phases.add(event.phase)
                    yield replace(event, start_ns=self.at(one, event.start_ns))
            case Progress():
                one.progress = event
                yield self._progress(event)
            case Ready():
                one.ready = event
                ready = [other.ready for other in self.heard.values() if other.ready is not None]
                if len(ready) == len(self.heard):
                    yield _all_ready(ready)
            case Started():
                one.started = replace(event, first_operation_ns=self.at(one, event.first_operation_ns))
                started = [other.started for other in self.heard.values() if other.started is not None]
                if len(started) == len(self.heard):
                    yield min(started, key=lambda first: first.first_operation_ns)
            case Interval():
                if event.phase == "measure" and event.pacing is not None:
                    one.arrivals = (one.arrivals or 0) + event.pacing.arrivals
                self._pending.setdefault((event.phase, event.index), {})[one.name] = event
                yield from self._whole_intervals()
            case ErrorEvent():
                if event.fatal:
                    one.fatal = event
                message = f"{one.name}: {event.message}"
                yield replace(event, at_ns=self.at(one, event.at_ns), message=message)
            case Doubt():
                one.doubts.append(event)
            case RunResult():
                one.result = event
                yield from self._whole_intervals()
            case _:
                yield event

    def _progress(self, event: Progress) -> Progress:
        latest = [one.progress for one in self.heard.values() if one.progress is not None]
        alike = [one for one in latest if (one.phase, one.unit) == (event.phase, event.unit)]
        return replace(event, done=sum(one.done for one in alike), total=sum(one.total for one in alike))

    def _whole_intervals(self) -> Iterator[Event]:
        """Yields the intervals that every generator has reported that says anything more, oldest first."""
        awaited = {one.name for one in self.heard.values() if not one.ended and one.result is None}
        while self._pending:
            key = next(iter(self._pending))
            parts = self._pending[key]
            if awaited - parts.keys():
                return
            del self._pending[key]
            yield self._interval([(self.heard[name], part) for name, part in parts.items()])

    def _interval(self, parts: list[tuple[GeneratorEvents, Interval]]) -> Interval:
        first = parts[0][1]
        events = [part for _, part in parts]
        fields = sums.tallied(events)
        return Interval(
            phase=first.phase,
            index=first.index,
            start_ns=min(self.at(one, part.start_ns) for one, part in parts),
            end_ns=max(self.at(one, part.end_ns) for one, part in parts),
            in_flight=sum(part.in_flight for part in events),
            queued=sum(part.queued for part in events),
            engine=sums.engine_use([part.engine for part in events]),
            **fields,
        )

    def doubts(self) -> list[Doubt]:
        """Returns the doubts of all generators: what several say alike once, all else with its
        generator's name.
        """
        said: dict[tuple[str, str], list[tuple[str, Doubt]]] = {}
        for one in self.heard.values():
            for doubt in one.doubts:
                said.setdefault((doubt.kind, doubt.message), []).append((one.name, doubt))
        return [
            doubt if len(alike) == len(self.heard) else replace(doubt, message=f"{name}: {doubt.message}")
            for alike in said.values()
            for name, doubt in (alike[:1] if len(alike) == len(self.heard) else alike)
        ]

    def result(self, generators: Sequence[GeneratorResult], *, whole: bool) -> RunResult | None:
        """Returns the result of the fleet; None when no generator has one.

        `whole`: no generator was lost or failed.
        """
        ended = [(one, one.result) for one in self.heard.values() if one.result is not None]
        if not ended:
            return None
        parts = [result for _, result in ended]
        first, transactions = parts[0], sum(part.transactions for part in parts)
        thought = [part.mean_think_ms * part.transactions for part in parts if part.mean_think_ms is not None]
        return RunResult(
            start_ns=self.at(ended[0][0], first.start_ns),
            end_ns=self.at(ended[0][0], first.end_ns),
            elapsed_s=first.elapsed_s,
            connections=sums.connections([part.connections for part in parts]),
            engine=sums.engine_use([part.engine for part in parts]),
            engine_total=sums.engine_use([part.engine_total for part in parts]),
            warmup=sums.counts([part.warmup for part in parts]),
            warmup_s=first.warmup_s,
            drained=sum(part.drained for part in parts),
            abandoned=sum(part.abandoned for part in parts),
            mean_in_flight=sum(part.mean_in_flight for part in parts),
            latency=first.latency,
            complete=whole and len(parts) == len(self.heard) and all(part.complete for part in parts),
            facts=first.facts,
            session=first.session,
            server_version=first.server_version,
            terminals=sums.optional([part.terminals for part in parts], sums.connections),
            deferred=sums.optional([part.deferred for part in parts], sums.deferred),
            carried_over=sum(part.carried_over for part in parts),
            sent_statements=sum(part.sent_statements for part in parts),
            ended_open=sum(part.ended_open for part in parts),
            uncommitted=sum(part.uncommitted for part in parts),
            left_open=sum(part.left_open for part in parts),
            unstored=sum(part.unstored for part in parts),
            unprepared=sum(part.unprepared for part in parts),
            longest_stall_ns=max(part.longest_stall_ns for part in parts),
            mean_think_ms=sum(thought) / max(transactions, 1) if thought else None,
            generators=list(generators),
            **sums.tallied(parts),
        )


def _all_ready(ready: Sequence[Ready]) -> Ready:
    alike = len({one.engine_sha256 for one in ready}) == 1
    return Ready(
        connections=sum(one.connections for one in ready),
        loops=sum(one.loops for one in ready),
        engine_sha256=ready[0].engine_sha256 if alike else None,
        max_fds=min(one.max_fds for one in ready),
    )


def line_of(event: Event) -> bytes:
    """Returns an event as a line of a file."""
    return msgspec.json.encode(event) + b"\n"
