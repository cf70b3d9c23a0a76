"""Follows a study from its files: the course, the engine's events, and the samples, in one order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from assay.base.decoding import decoded
from assay.base.errors import InputError
from assay.base.inner_path import InnerPath
from assay.design.folder import Event, ResultsFolder, RunFolder, RungFolder, Sample, decode_event
from assay.design.folder.live import LabBegan, LabEnded, LiveLine, RunBegun, RunOver, decode_line
from assay.reporting.live.position import Position
from assay.reporting.live.tail import Tail

_sample = msgspec.json.Decoder(Sample)


@dataclass(frozen=True)
class RungOpened:
    """The lab begins a load point of the run under way: `rung` is the name of its folder."""

    run: str
    rung: str


@dataclass(frozen=True)
class EngineEvent:
    """An event of the engine at a load point."""

    run: str
    rung: str
    event: Event


@dataclass(frozen=True)
class Sampled:
    """A reading of one source."""

    run: str
    source: str
    sample: Sample


Told = LiveLine | RungOpened | EngineEvent | Sampled


class Follower:
    """Yields what the files of a study tell, from a position on, each thing once.

    That a run is over comes after everything that the run wrote. `position` is the place after
    what was yielded last: a follower that begins there goes on with the very next thing, whatever ended this
    one.
    """

    def __init__(self, folder: ResultsFolder, position: Position | None = None) -> None:
        at = position or Position()
        self._folder = folder
        self._live = Tail(folder.live, at.live)
        self._pending: tuple[int, LiveLine] | None = None
        self._lines: Iterator[bytes] = iter(())
        self._taken = at.live  # of the course, what was yielded
        self._run = at.run
        self._rung = at.rung
        self._events: Tail | None = None
        self._at = (at.events, at.inode)
        self._samples: dict[str, Tail] = {}
        self._sampled = dict(at.samples)

    @property
    def position(self) -> Position:
        """The place after the thing that was yielded last."""
        events, inode = self._at if self._events is None else (self._events.offset, self._events.inode)
        read = {source: tail.offset for source, tail in self._samples.items()}
        return Position(
            live=self._taken,
            run=self._run,
            rung=self._rung,
            inode=inode if self._run else 0,
            events=events if self._run else 0,
            samples=self._sampled | read if self._run else {},
        )

    @property
    def run(self) -> str:
        """The run under way; empty before the first."""
        return self._run

    def written_ns(self) -> int:
        """Returns when a file that is followed was last written, in ns since 1970."""
        tails = [self._live, *self._samples.values(), *([self._events] if self._events else [])]
        return max(tail.written_ns() for tail in tails)

    def course_written_ns(self) -> int:
        """Returns when the course was last written, in ns since 1970."""
        return self._live.written_ns()

    def read(self) -> Iterator[Told]:
        """Yields everything that is new, in order; what is written meanwhile may come, too."""
        while True:
            line = self._next_line()
            if line is None or isinstance(line[1], RunOver | LabEnded):
                yield from self._of_run()
            if line is None:
                return
            self._taken, told = line
            self._pending = None
            if isinstance(told, LabBegan):
                self._leave_run()
            elif isinstance(told, RunBegun):
                self._leave_run()
                self._run = told.run
            yield told

    def close(self) -> None:
        """Closes all files; `position` stays."""
        at = self.position
        self._at, self._sampled = (at.events, at.inode), dict(at.samples)
        for tail in (self._live, self._events, *self._samples.values()):
            if tail is not None:
                tail.close()
        self._events = None
        self._samples.clear()
        self._lines = iter(())

    def _next_line(self) -> tuple[int, LiveLine] | None:
        """Returns the next line of the course and the offset after it, without passing over it."""
        while self._pending is None:
            text = next(self._lines, None)
            if text is None:
                self._lines = self._live.lines()
                text = next(self._lines, None)
                if text is None:
                    return None
            line = decode_line(text)
            if line is not None:
                self._pending = (self._live.offset, line)
        return self._pending

    def _leave_run(self) -> None:
        for tail in (self._events, *self._samples.values()):
            if tail is not None:
                tail.close()
        self._run = self._rung = ""
        self._events = None
        self._samples.clear()
        self._at, self._sampled = (0, 0), {}

    def _of_run(self) -> Iterator[Told]:
        run = self._folder.run_or_unfinished(self._run) if self._run else None
        if run is None and self._events is None:
            return
        yield from self._of_rungs(run)
        yield from self._of_samples(run)

    def _of_rungs(self, run: RunFolder | None) -> Iterator[Told]:
        """Yields the events of the rung under way and, when its file is read to the end, of those after
        it.
        """
        while True:
            rungs = [] if run is None else run.rungs()
            yield from self._of_rung(rungs)
            following = next((one for one in rungs if one.path.name > self._rung), None)
            if following is None:
                return
            if self._events is not None:
                # Before the next rung began, this one was written to its end.
                yield from self._of_rung(rungs)
                yield from self._of_samples(run)
                self._events.close()
            self._events, self._at = None, (0, 0)
            self._rung = following.path.name
            yield RungOpened(self._run, self._rung)

    def _of_rung(self, rungs: list[RungFolder]) -> Iterator[Told]:
        if not self._rung:
            return
        if self._events is None:
            here = next((one for one in rungs if one.path.name == self._rung), None)
            if here is None:
                return
            offset, inode = self._at
            if inode and (aside := _set_aside(here, inode)) is not None:
                # An experiment gave the file another name since it was read.
                aside_tail = Tail(aside, offset, inode)
                yield from self._events_of(aside_tail)
                aside_tail.close()
                offset, inode = 0, 0
            self._events = Tail(here.events, offset, inode)
        yield from self._events_of(self._events)

    def _events_of(self, tail: Tail) -> Iterator[Told]:
        for text in tail.lines():
            try:
                event = decode_event(text)
            except (msgspec.DecodeError, InputError, UnicodeDecodeError):
                continue  # of a later engine, or cut short
            if tail is not self._events:
                self._at = (tail.offset, tail.inode)
            yield EngineEvent(self._run, self._rung, event)

    def _of_samples(self, run: RunFolder | None) -> Iterator[Told]:
        for path in [] if run is None else run.sampled():
            source = path.stem
            if source not in self._samples:
                self._samples[source] = Tail(path, self._sampled.get(source, 0))
            self._samples[source].path = path  # the folder has its final name by now
        for source, tail in self._samples.items():
            for text in tail.lines():
                try:
                    sample = decoded(_sample, text)
                except msgspec.DecodeError:
                    continue
                yield Sampled(self._run, source, sample)


def _set_aside(rung: RungFolder, inode: int) -> InnerPath | None:
    """Returns the file of this inode among the events that an experiment has set aside."""
    try:
        return next(
            (file for file in rung.inner().glob("*-events.jsonl") if file.stat().st_ino == inode), None
        )
    except OSError:
        return None
