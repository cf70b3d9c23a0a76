"""What a page reads when it opens: the place to begin at, and what lies before it, thinned."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from assay.base.decoding import any_json, decoded, json_as, whole_number
from assay.base.errors import InputError
from assay.design.folder import (
    Damaged,
    Doubted,
    Event,
    Hello,
    Interval,
    ResultsFolder,
    RunFolder,
    RungFolder,
    decode_event,
    read_manifest,
)
from assay.design.folder.live import decode_line
from assay.design.folder.viewers import Viewer
from assay.reporting.live.course import Course, CourseRun
from assay.reporting.live.position import Position
from assay.reporting.live.reduction import NOMINAL_S, Second, is_a_rate, seconds_of
from assay.reporting.live.tail import Tail, start_of_last_lines
from assay.system.server.process import ProcessId

SECONDS_SHOWN = 900
"""Intervals that a page gets at full grain when it opens; those before come thinned."""

MOST_POINTS = 600
MOST_BLOCKS = 6
_HEAD = 1 << 16
_BATCH = 512


@dataclass(frozen=True)
class RungFacts:
    """What is planned at a load point."""

    run: str
    rung: str
    kind: str
    load: float
    number: int
    warmup_s: float
    measure_s: float
    interval_s: float = NOMINAL_S


def this_viewer() -> Viewer:
    """Returns this process as a viewer, to be announced."""
    me = ProcessId.of(os.getpid())
    assert me is not None, "this process runs"
    return Viewer(me.pid, me.start_ticks)


def opened(folder: ResultsFolder, seconds: int = SECONDS_SHOWN) -> tuple[Course, Position]:
    """Returns the state of a study, and the place from which a `Follower` tells the last `seconds` of the
    load point under way and all that comes.
    """
    course, offset = _read_course(folder, None)
    run = folder.run_or_unfinished(course.current) if course.current else None
    rungs = [] if run is None else run.rungs()
    if run is None or not rungs:
        return course, Position(live=offset, run=course.current)
    rung = rungs[-1]
    samples = {path.stem: start_of_last_lines(path, seconds) for path in run.sampled()}
    try:
        inode = rung.events.stat().st_ino
    except OSError:
        inode = 0
    return course, Position(
        live=offset,
        run=course.current,
        rung=rung.path.name,
        inode=inode,
        events=start_of_last_lines(rung.events, seconds),
        samples=samples,
    )


def course_until(folder: ResultsFolder, offset: int) -> Course:
    """Returns the state by the course up to a byte offset."""
    return _read_course(folder, offset)[0]


def _read_course(folder: ResultsFolder, until: int | None) -> tuple[Course, int]:
    course, offset = Course(), 0
    tail = Tail(folder.live)
    for text in tail.lines():
        if until is not None and tail.offset > until:
            break
        if (line := decode_line(text)) is not None:
            course.take(line)
        offset = tail.offset
    tail.close()
    return course, offset


def first_events(rung: RungFolder) -> Iterator[Event]:
    """Yields the events at the beginning of a load point: who measures, and the phases before the window."""
    try:
        with rung.events.open("rb") as file:
            lines = file.read(_HEAD).split(b"\n")[:-1]
    except OSError:
        return
    for line in lines:
        try:
            event = decode_event(line)
        except (msgspec.DecodeError, InputError):
            return
        if isinstance(event, Interval):
            return
        yield event


def rung_facts(run: RunFolder, run_id: str, rung: str) -> RungFacts:
    """Returns what is planned at a load point; zeros where its job says nothing."""
    number, _, rest = rung.partition("-")
    kind, _, load = rest.partition("-")
    phases: dict[str, Any] = {}
    with suppress(OSError, ValueError, AttributeError):
        phases = any_json(run.rung_at(f"rungs/{rung}").job.read_bytes()).get("phases") or {}
    warmup = phases.get("warmup") or {}
    warmup_ms = warmup.get("duration_ms") or warmup.get("cap_ms") or 0 if isinstance(warmup, dict) else 0
    return RungFacts(
        run=run_id,
        rung=rung,
        kind=kind,
        load=_number(load),
        number=whole_number(number) or 0,
        warmup_s=warmup_ms / 1e3,
        measure_s=(phases.get("measure_ms") or 0) / 1e3,
        interval_s=(phases.get("interval_ms") or 0) / 1e3 or NOMINAL_S,
    )


def earlier(rung: RungFolder, before: int | None, most: int = MOST_POINTS) -> list[Second]:
    """Returns the seconds of a load point before the byte `before` of its events, None: all that show a rate;
    at most `most` of them: several are merged exactly to one where there are more.
    """
    nominal_s = rung_facts(RunFolder(rung.path.parents[1]), "", rung.path.name).interval_s
    count = sum(1 for _ in _intervals(rung, before))
    together = max(1, -(-count // most))
    found: list[Second] = []
    batch: list[Interval] = []
    epoch_ns = 0
    for event in first_events(rung):
        if isinstance(event, Hello):
            epoch_ns = event.epoch_wall_ns
    size = max(together, _BATCH // together * together)
    for line in _intervals(rung, before):
        event = decode_event(line)
        if isinstance(event, Interval) and is_a_rate(event, nominal_s):
            batch.append(event)
        if len(batch) == size:
            found += seconds_of(batch, epoch_ns, together)
            batch.clear()
    return found + seconds_of(batch, epoch_ns, together)


class _Thin(msgspec.Struct):
    """What a thin line of an earlier block needs of an interval."""

    phase: str
    start_ns: int
    end_ns: int
    transactions: int = 0


_thin = msgspec.json.Decoder(_Thin)


@dataclass(frozen=True)
class PreviousLine:
    """Throughput of the same treatment and load in an earlier block: seconds since the load began, rates."""

    run: str
    block: int
    t_s: list[float]
    rates: list[float]


def previous(folder: ResultsFolder, course: Course, run_id: str, rung: str) -> list[PreviousLine]:
    """Returns the same load point of the last blocks before, by the same treatment."""
    here = course.runs.get(run_id)
    if here is None:
        return []
    alike = [
        run
        for run in course.runs.values()
        if run.treatment == here.treatment and run.block != here.block and run.state == "done"
    ]
    found = []
    for run in sorted(alike, key=lambda one: one.block)[-MOST_BLOCKS:]:
        line = _previous(folder, run, rung.partition("-")[2])
        if line is not None:
            found.append(line)
    return found


def _previous(folder: ResultsFolder, run: CourseRun, kind_and_load: str) -> PreviousLine | None:
    rungs = folder.run(run.run).rungs()
    rung = next((one for one in rungs if one.path.name.partition("-")[2] == kind_and_load), None)
    if rung is None:
        return None
    nominal_s = rung_facts(folder.run(run.run), run.run, rung.path.name).interval_s
    lines = [
        one for one in (decoded(_thin, line) for line in _intervals(rung, None)) if is_a_rate(one, nominal_s)
    ]
    together = max(1, -(-len(lines) // MOST_POINTS))
    times, rates = [], []
    for at in range(0, len(lines) - together + 1, together):
        part = lines[at : at + together]
        seconds = (part[-1].end_ns - part[0].start_ns) / 1e9
        if seconds > 0:
            times.append(round(part[0].start_ns / 1e9, 2))
            rates.append(round(sum(one.transactions for one in part) / seconds, 2))
    return PreviousLine(run.run, run.block, times, rates)


def recorded_doubts(folder: ResultsFolder, run: CourseRun) -> list[Doubted]:
    """Returns the doubts that the lab and the engine recorded of a finished run; those of its measures come
    with the report.
    """
    place = folder.run(run.run)
    try:
        found = list(read_manifest(place).doubts)
    except Damaged:
        return []
    for rung in place.rungs():
        for line in _last_lines(rung, 20):
            if line.startswith((b'{"event":"doubt"', b'{"event": "doubt"')):
                event = json_as(line, dict[str, object])
                found.append(
                    Doubted(
                        kind=str(event.get("kind")),
                        message=str(event.get("message")),
                        value=_float(event.get("value")),
                        limit=_float(event.get("limit")),
                        rung=place.inside(rung.path),
                    )
                )
    return found


def _last_lines(rung: RungFolder, count: int) -> list[bytes]:
    try:
        with rung.events.open("rb") as file:
            file.seek(start_of_last_lines(rung.events, count))
            return [line for line in file if line.endswith(b"\n")]
    except OSError:
        return []


def _intervals(rung: RungFolder, before: int | None) -> Iterator[bytes]:
    try:
        with rung.events.open("rb") as file:
            at = 0
            for line in file:
                at += len(line)
                if (before is not None and at > before) or not line.endswith(b"\n"):
                    return
                if line.startswith((b'{"event":"interval"', b'{"event": "interval"')):
                    yield line
    except OSError:
        return


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
