"""The stream of the live page: server-sent events, made from the files of the study and from nothing else.

The id of an event is the place in the files after it. A browser that lost the connection sends it back
(`Last-Event-ID`), and goes on with the very next line; no state is kept for it between two connections.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager

import msgspec
from starlette.concurrency import run_in_threadpool

from assay.base.errors import InputError
from assay.design.folder import Hello, Interval, ResultsFolder, RunResult
from assay.design.folder.live import LabBegan, RunBegun, RunOver, StepTaken
from assay.design.folder.viewers import announced
from assay.front.web.live.live_parts import PARTS, QUICK, LiveParts
from assay.reporting.live import (
    NOMINAL_S,
    Doubts,
    EngineEvent,
    Follower,
    Position,
    RungFacts,
    RungOpened,
    Sampled,
    Second,
    Signals,
    Told,
    course_until,
    encode_second,
    first_events,
    is_a_rate,
    opened,
    rung_facts,
    second_of,
    this_viewer,
)

LOOK_S = 0.25
"""How often the files are looked at."""
TICK_S = 1.0
"""How often the page is told that the server is there; far below the ten seconds after which it worries."""
RETRY_MS = 1000
BATCH = 1 << 15
"""Bytes of messages that are made before they are sent: the first minutes are drawn while others are read."""

FIRST = f": assay\nretry: {RETRY_MS}\n\n".encode()


def message(event: str, data: bytes, place: str = "") -> bytes:
    """Returns one server-sent event; `data` is JSON, which has no line ends."""
    where = f"id: {place}\n" if place else ""
    return f"event: {event}\n{where}data: ".encode() + data + b"\n\n"


class LiveStream:
    """What one viewer is told, from a place on.

    The last minutes of the load point under way are read again, silently, so that doubts and rates go on as
    if there had been no pause.
    """

    def __init__(self, folder: ResultsFolder, parts: LiveParts, place: str | None) -> None:
        self._folder, self._parts = folder, parts
        self._course, start = opened(folder)
        asked = _parsed(place)
        self._silent_until = Position()
        if asked is not None:
            if (asked.run, asked.rung, asked.inode) == (start.run, start.rung, start.inode):
                self._silent_until = asked
            else:
                start = asked
                self._course = course_until(folder, asked.live)
        self._follower = Follower(folder, start)
        self._doubts, self._signals = Doubts(), Signals()
        self._epoch_ns = 0
        self._rung: RungFacts | None = None
        self._second: Second | None = None
        self._ticked = 0.0
        self._is_new = True
        self._moved = False
        if start.run and start.rung:
            self._doubts.take(RungOpened(start.run, start.rung))
            self._open_rung(start.run, start.rung, before=start.events)

    @property
    def is_over(self) -> bool:
        """Whether the study has ended and nothing more will come."""
        return self._course.ended is not None

    @property
    def is_whole(self) -> bool:
        """Whether the study came to its end."""
        ended = self._course.ended
        return ended is not None and ended.why in ("complete", "failed-runs")

    def step(self) -> Iterator[bytes]:
        """Yields the messages that are due now."""
        if self._is_new and self._rung is not None:
            yield self._rung_message(self._rung)
            yield self._steps_message()
        self._moved = self._moved or self._is_new
        self._is_new = False
        for told in self._follower.read():
            yield from self._tell(told)
        now = time.monotonic()
        is_due = now - self._ticked >= TICK_S
        if self._moved or is_due:
            names = PARTS if self._moved else QUICK
            self._moved = False
            doubts = list(self._doubts.all.values())
            for name, html in self._parts.changed(self._course, doubts, self._rung, self.applied, names):
                yield message("part", json.dumps({"part": name, "html": html}).encode(), self._place())
        if is_due:
            self._ticked = now
            yield message("tick", json.dumps(self.tick()).encode())

    @property
    def applied(self) -> Second | None:
        """The newest second of the load that is applied now; None where none is. What ended before the step
        under way began is of a load that is over, in whatever order the files were read.
        """
        second, course = self._second, self._course
        if second is None or course.ended is not None:
            return None
        return second if second.ends_ns > course.step_since_ns else None

    def close(self) -> None:
        self._follower.close()

    def _tell(self, told: Told) -> Iterator[bytes]:
        is_silent = self._is_silent(told)
        if self._doubts.take(told) or not isinstance(told, EngineEvent | Sampled):
            self._moved = True  # more than the clock may have changed on the page
        match told:
            case RungOpened():
                self._open_rung(told.run, told.rung, before=0)
                if self._rung is not None:
                    yield self._rung_message(self._rung)
            case EngineEvent(event=Hello() as hello):
                self._epoch_ns = hello.epoch_wall_ns
            case EngineEvent(event=Interval() as interval):
                nominal_s = NOMINAL_S if self._rung is None else self._rung.interval_s
                if is_a_rate(interval, nominal_s):
                    self._second = second_of(interval, self._epoch_ns)
                    if not is_silent:
                        yield message("second", encode_second(self._second), self._place())
            case EngineEvent(event=RunResult()):
                self._unload()
            case EngineEvent():
                pass
            case Sampled():
                reading = self._signals.take(told.source, told.sample)
                if reading is not None and not is_silent:
                    yield message("signals", msgspec.json.encode(reading), self._place())
            case RunBegun():
                self._signals.forget()
                self._course.take(told)
                self._unload()
            case StepTaken():
                self._course.take(told)
                self._unload()
                yield self._steps_message()
            case LabBegan() | RunOver():
                self._course.take(told)
                self._unload()
            case _:
                self._course.take(told)

    def _unload(self) -> None:
        """Notes that no load is applied until the next second is heard: the study may be silent for minutes,
        and nobody is cut off for that.
        """
        self._second = None
        self._moved = True

    def _is_silent(self, told: Told) -> bool:
        """Returns whether the viewer was told this before it lost the connection."""
        here, there = self._follower.position, self._silent_until
        if (here.run, here.rung) != (there.run, there.rung):
            return False
        if isinstance(told, EngineEvent):
            return here.events <= there.events
        if isinstance(told, Sampled):
            return here.samples.get(told.source, 0) <= there.samples.get(told.source, 0)
        return False

    def _open_rung(self, run: str, rung: str, before: int) -> None:
        place = self._folder.run_or_unfinished(run)
        if place is None:
            return
        self._rung, self._second = rung_facts(place, run, rung), None
        if before:
            for event in first_events(place.rung_at(f"rungs/{rung}")):
                if isinstance(event, Hello):
                    self._epoch_ns = event.epoch_wall_ns
                self._doubts.take(EngineEvent(run, rung, event))

    def _rung_message(self, rung: RungFacts) -> bytes:
        run = self._course.runs.get(rung.run)
        return message(
            "rung",
            json.dumps(
                {
                    "run": rung.run,
                    "rung": rung.rung,
                    "kind": rung.kind,
                    "load": rung.load,
                    "warmup": rung.warmup_s,
                    "measure": rung.measure_s,
                    "treatment": "" if run is None else run.treatment,
                    "block": 0 if run is None else run.block,
                    "began": 0 if run is None else run.began_ns // 1_000_000,  # tells tries of a run apart
                }
            ).encode(),
            self._place(),
        )

    def _steps_message(self) -> bytes:
        """The steps of the run under way with the milliseconds at which they began: marks on the charts."""
        steps = zip(self._course.steps_ns, self._parts.steps(self._course), strict=True)
        marks = [{"w": at_ns // 1_000_000, "text": text} for at_ns, text in steps]
        return message("steps", json.dumps(marks).encode(), self._place())

    def tick(self) -> dict[str, object]:
        """How old the newest line of the load was when it was read; where none is applied, the step under way
        and its age, since a study may say nothing for minutes. The tick itself is the sign of the connection.
        """
        now_ns, course = time.time_ns(), self._course
        if self.applied is not None:
            written_ns = self._follower.written_ns()
            behind = (now_ns - written_ns) / 1e9 if written_ns else 0.0
            return {"behind": round(min(behind, 99.0), 2), "over": self.is_over, "step": "", "since": 0}
        # Results that were copied or are played have lines of another day than their file.
        shift_ns = max(self._follower.course_written_ns() - course.last_ns, 0)
        since = max((now_ns - course.step_since_ns - shift_ns) / 1e9, 0.0) if course.step else 0.0
        return {
            "behind": 0.0, "over": self.is_over, "step": self._parts.step(course), "since": round(since)
        }  # fmt: skip

    def _place(self) -> str:
        return str(self._follower.position)


async def stream(
    live: LiveStream,
    folder: ResultsFolder,
    *,
    once: bool = False,
    is_closing: Callable[[], bool] = lambda: False,
) -> AsyncIterator[bytes]:
    """Yields the stream until the study is over, the server closes or the viewer leaves; with `once`, what is
    there now.

    The process announces itself to the lab, which samples what it costs.
    """
    yield FIRST
    with ExitStack() as stack:
        stack.callback(live.close)
        if not once:
            stack.enter_context(_viewing(folder))
        steps = live.step()
        while True:
            part = await run_in_threadpool(_some_of, steps)
            if part:
                yield part
                continue
            if once or live.is_over:
                yield message("end", json.dumps({"over": live.is_over, "whole": live.is_whole}).encode())
                return
            if is_closing():
                return
            await asyncio.sleep(LOOK_S)
            steps = live.step()


def _some_of(steps: Iterator[bytes]) -> bytes:
    """Returns the next messages, up to a batch; empty when there is none."""
    found, size = [], 0
    for one in steps:
        found.append(one)
        size += len(one)
        if size >= BATCH:
            break
    return b"".join(found)


def _parsed(place: str | None) -> Position | None:
    """Returns the place that a browser sent; None for none, or for what is none."""
    try:
        return Position.parse(place) if place else None
    except InputError:
        return None


_streams: Counter[ResultsFolder] = Counter()
_announcements: dict[ResultsFolder, ExitStack] = {}


def streams(folder: ResultsFolder) -> int:
    """Returns how many streams of a study are open in this process."""
    return _streams[folder]


@contextmanager
def _viewing(folder: ResultsFolder) -> Iterator[None]:
    """Announces this process as a viewer while it streams to at least one browser."""
    _streams[folder] += 1
    if _streams[folder] == 1:
        announcement = ExitStack()
        announcement.enter_context(announced(folder, this_viewer()))
        _announcements[folder] = announcement
    try:
        yield
    finally:
        _streams[folder] -= 1
        if not _streams[folder]:
            _announcements.pop(folder).close()
