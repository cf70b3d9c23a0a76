"""Plays a recorded results folder: copies it line by line into a new one, as a lab would have written it.

    python -m assay.testing.player SOURCE TARGET [--speed 10]

Pages that follow a study are tested and shown with it, without a server or an engine. Lines and files are
those of the recording, byte for byte, so that the copy gives the same report; only `live.jsonl` names the
player as the process that carries the study out. A recording from before there was a `live.jsonl` gets the
lines that a lab would have written. The player heeds `control.json` between runs, as a lab does.
"""

from __future__ import annotations

import heapq
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import click
import msgspec

from assay.base.errors import InputError
from assay.design.folder import (
    Hello,
    Interval,
    Manifest,
    PhaseStart,
    ResultsFolder,
    RunFolder,
    RunResult,
    asked_of,
    decode_event,
    read_manifest,
)
from assay.design.folder.live import (
    PAUSED,
    LabBegan,
    LabEnded,
    LiveLine,
    PlannedLine,
    RunBegun,
    RunOver,
    StepTaken,
    TimeLeft,
    encode_line,
    read_live,
)
from assay.reporting.live import last_result, outcome_of, time_left
from assay.system.server.process import ProcessId

SECOND = 1_000_000_000
LONGEST_GAP_S = 20.0
"""A longer gap in a recording, such as the night between two days of it, is played as one of this length."""

_SOURCES = ("study.toml", "study.json", "plan.json")
_LOOK_S = 0.1
_AT_END = ("run.json",)


@dataclass(frozen=True, order=True)
class _Step:
    """Something that happens: at a moment of the recording, and among several at once in the order of
    `rank`.
    """

    at_ns: int
    rank: int
    do: Callable[[], None] = field(compare=False)
    line: LiveLine | None = field(default=None, compare=False)


class Stopped(Exception):
    """The player was asked to stop."""


@dataclass
class Player:
    """Plays `source` into `target`, which must not exist. `speed`: seconds of the recording a second.

    `torn`: every line is written in two parts, with a pause between them, as a reader may find it.
    """

    source: ResultsFolder
    target: ResultsFolder
    speed: float = 1.0
    torn: bool = False
    sleep: Callable[[float], None] = time.sleep
    _open: dict[Path, IO[bytes]] = field(default_factory=dict)
    _me: ProcessId | None = None

    def play(self) -> None:
        """Plays the recording to its end, or until it is asked to stop."""
        self._prepare()
        began, at_ns, played_s = time.monotonic(), None, 0.0
        last_ns = 0
        try:
            for step in heapq.merge(*self._streams()):
                if at_ns is not None:
                    played_s += min(max(step.at_ns - at_ns, 0) / SECOND, LONGEST_GAP_S) / self.speed
                at_ns = last_ns = max(step.at_ns, last_ns)
                ahead_s = played_s - (time.monotonic() - began)
                if ahead_s > 0:
                    self.sleep(ahead_s)
                if isinstance(step.line, RunBegun):
                    began += self._heed(at_ns)
                step.do()
        except (Stopped, KeyboardInterrupt):
            self._say(LabEnded(at_wall_ns=last_ns, why="interrupted", message="Stopped, as was asked"))
        finally:
            for file in self._open.values():
                file.close()

    def _prepare(self) -> None:
        self.target.path.mkdir(parents=True)
        self.target.runs.mkdir()
        self._me = ProcessId.of(os.getpid())
        for name in _SOURCES:
            shutil.copy(self.source.path / name, self.target.path / name)
        for job in self.source.path.glob("*.fio"):
            shutil.copy(job, self.target.path)

    def _streams(self) -> Iterator[Iterator[_Step]]:
        manifests = [read_manifest(run) for run in self.source.finished_runs()]
        if not manifests:
            raise InputError(f"{self.source.path}: has no finished run to play")
        lines = list(read_live(self.source.live)) or list(course_of(self.source, manifests))
        played = {one.run_id for one in manifests}
        kept = [line for line in lines if not isinstance(line, RunBegun | RunOver) or line.run in played]
        yield iter([_Step(line.at_wall_ns, 1, self._telling(line), line) for line in kept])
        for manifest in manifests:
            yield from self._of_run(manifest)

    def _telling(self, line: LiveLine) -> Callable[[], None]:
        return lambda: self._say(line)

    def _say(self, line: LiveLine) -> None:
        if isinstance(line, LabBegan) and self._me is not None:
            line = msgspec.structs.replace(line, pid=self._me.pid, start_ticks=self._me.start_ticks)
        self._append(self.target.live.path, encode_line(line))

    def _of_run(self, manifest: Manifest) -> Iterator[Iterator[_Step]]:
        source = self.source.run(manifest.run_id)
        work = self.target.unfinished(manifest.run_id)
        lined = {rung.events.path: rung for rung in source.rungs()}
        samples = [one.path for one in source.sampled()]
        at_start: list[Path] = []
        at_end: list[Path] = []
        for file in sorted(source.path.rglob("*")):
            if not file.is_file() or file in lined or file in samples or file.name == "job.json":
                continue
            early = file.name.endswith((".cnf", "-before.json")) and "status-" not in file.name
            (at_start if early else at_end).append(file)

        def begin() -> None:
            work.path.mkdir()
            self._copy(source, work, at_start)

        def end() -> None:
            self._close_below(work.path)
            self._copy(source, work, [file for file in at_end if file.name not in _AT_END])
            self._copy(source, work, [source.manifest.path])
            work.path.rename(self.target.run(manifest.run_id).path)

        begins, ends = manifest.started_wall_ns, manifest.ended_wall_ns
        yield iter([_Step(begins, 2, begin)])
        for rung in lined.values():
            yield self._of_rung(rung.path, source, work, begins, ends)
        for path in samples:
            yield self._of_samples(path, source, work, begins, ends)
        # A run that was over before its last event was flushed is none: what it wrote comes first.
        yield iter([_Step(ends, 0, end)])

    def _of_rung(
        self, rung: Path, source: RunFolder, work: RunFolder, begins_ns: int, ends_ns: int
    ) -> Iterator[_Step]:
        events = rung / "events.jsonl"
        target = work.path / source.inside(rung)
        at_ns, epoch_ns = begins_ns, 0

        def begin() -> None:
            target.mkdir(parents=True)
            if (rung / "job.json").is_file():
                shutil.copy(rung / "job.json", target / "job.json")

        first = True
        for line in _lines(events):
            event = decode_event(line)
            if isinstance(event, Hello):
                epoch_ns = event.epoch_wall_ns
                at_ns = max(at_ns, epoch_ns)
            elif isinstance(event, PhaseStart):
                at_ns = max(at_ns, epoch_ns + event.start_ns)
            elif isinstance(event, Interval | RunResult):
                at_ns = max(at_ns, epoch_ns + event.end_ns)
            at_ns = min(at_ns, ends_ns - 1)
            if first:
                yield _Step(at_ns, 3, begin)
                first = False
            yield _Step(at_ns, 4, self._appending(target / "events.jsonl", line))
        if first:
            yield _Step(at_ns, 3, begin)

    def _of_samples(
        self, path: Path, source: RunFolder, work: RunFolder, begins_ns: int, ends_ns: int
    ) -> Iterator[_Step]:
        target = work.path / source.inside(path)
        for line in _lines(path):
            wall_ns = msgspec.json.decode(line, type=_At).wall_ns
            at_ns = min(max(wall_ns, begins_ns), ends_ns - 1)
            yield _Step(at_ns, 5, self._appending(target, line))

    def _appending(self, path: Path, line: bytes) -> Callable[[], None]:
        return lambda: self._append(path, line)

    def _append(self, path: Path, line: bytes) -> None:
        if path not in self._open:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._open[path] = path.open("ab")
        file = self._open[path]
        if self.torn:
            half = len(line) // 2
            file.write(line[:half])
            file.flush()
            self.sleep(0.002)
            line = line[half:]
        file.write(line)
        file.flush()

    def _close_below(self, place: Path) -> None:
        for path in [one for one in self._open if one.is_relative_to(place)]:
            self._open.pop(path).close()

    def _copy(self, source: RunFolder, work: RunFolder, files: list[Path]) -> None:
        for file in files:
            target = work.path / source.inside(file)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)

    def _heed(self, at_ns: int) -> float:
        """Does what is asked between two runs; returns the seconds that it waited."""
        waited, told = 0.0, False
        while self._me is not None:
            asked = asked_of(self.target, self._me.pid, self._me.start_ticks)
            if asked == "stop":
                raise Stopped
            if asked != "pause":
                break
            if not told:
                self._say(StepTaken(at_wall_ns=at_ns, what=PAUSED))
                told = True
            time.sleep(_LOOK_S)
            waited += _LOOK_S
        return waited


class _At(msgspec.Struct):
    wall_ns: int


def _lines(path: Path) -> Iterator[bytes]:
    if path.is_file():
        with path.open("rb") as lines:
            yield from (line for line in lines if line.endswith(b"\n"))


def course_of(source: ResultsFolder, manifests: list[Manifest]) -> Iterator[LiveLine]:
    """Yields the lines that a lab of today would have written of results of an earlier one."""
    runs = sorted(manifests, key=lambda one: one.started_wall_ns)
    loads = sorted({rung.load for one in runs for rung in one.rungs})
    run_s = (runs[0].ended_wall_ns - runs[0].started_wall_ns) / SECOND
    took_s: dict[str, list[float]] = {}
    yield LabBegan(
        at_wall_ns=runs[0].started_wall_ns,
        pid=0,
        start_ticks=0,
        assay=runs[0].tools.get("assay", ""),
        study=runs[0].study,
        seed=0,
        load_kind=runs[0].rungs[0].kind if runs[0].rungs else "threads",
        loads=loads,
        treatments=_treatments(source, runs),
        rung_s=run_s / max(len(loads), 1),
        may_widen=False,
        done=[],
        loading_s=0.0,
        run_s=run_s,
        plan=[
            PlannedLine(
                run=one.run_id,
                treatment=one.treatment,
                block=one.block,
                loads=[rung.load for rung in one.rungs],
            )
            for one in runs
        ],
    )
    for number, manifest in enumerate(runs, start=1):
        ahead = [one.treatment for one in runs[number - 1 :]]
        left: TimeLeft = time_left(ahead, took_s, planned_s=run_s)
        yield RunBegun(at_wall_ns=manifest.started_wall_ns, run=manifest.run_id, number=number, left=left)
        headlines = []
        for entry in manifest.rungs:
            rung = source.run(manifest.run_id).rung_at(entry.dir)
            yield StepTaken(
                at_wall_ns=_began(rung.events.path, manifest), what=f"{entry.kind} {entry.load:g}"
            )
            if (result := last_result(rung.events)) is not None:
                found = outcome_of(rung.path.name, entry.load, result)
                headlines.append(f"{entry.kind} {entry.load:g}: {found.rate:,.0f} /s")
        failure = None if manifest.failure is None else manifest.failure.message
        yield RunOver(
            at_wall_ns=manifest.ended_wall_ns,
            run=manifest.run_id,
            headline="; ".join(headlines),
            failure=failure,
            doubts=manifest.doubts,
        )
        seconds = (manifest.ended_wall_ns - manifest.started_wall_ns) / SECOND
        took_s.setdefault(manifest.treatment, []).append(seconds)
    failed = any(one.failure is not None for one in runs)
    yield LabEnded(
        at_wall_ns=runs[-1].ended_wall_ns + 1, why="failed-runs" if failed else "complete", message=None
    )


def _treatments(source: ResultsFolder, runs: list[Manifest]) -> list[str]:
    """Returns the treatments, the baseline first; by name where the plan does not list them."""
    listed = msgspec.json.decode(source.plan.read_bytes(), type=_Planned).treatments
    return [one.name for one in listed] or sorted({one.treatment for one in runs})


class _Named(msgspec.Struct):
    name: str


class _Planned(msgspec.Struct):
    treatments: list[_Named] = []


def _began(events: Path, manifest: Manifest) -> int:
    """Returns when a rung began by the engine's first line, or when its run did."""
    line = next(_lines(events), None)
    event = None if line is None else decode_event(line)
    began = event.epoch_wall_ns if isinstance(event, Hello) else 0
    return max(began, manifest.started_wall_ns)


@click.command()
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("target", type=click.Path(exists=False, path_type=Path))
@click.option("--speed", type=click.FloatRange(1, 1000), default=1.0, help="Seconds of it a second.")
@click.option("--torn", is_flag=True, help="Write each line in two parts.")
def main(source: Path, target: Path, speed: float, torn: bool) -> None:
    """Play the recorded results in SOURCE into the new folder TARGET, as a lab would have written them."""
    Player(ResultsFolder(source), ResultsFolder(target), speed, torn).play()


if __name__ == "__main__":
    main()
