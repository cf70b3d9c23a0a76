"""Reads fio's JSON, `--output-format=json` or json+, of fio 3."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.design.folder import Printed, PrintedFigure
from assay.design.study.storage import LATENCIES_MS
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.json_objects import Number, json_objects
from assay.experiments.adopt.lines import LeftRun, Line, Text

TOOL = "fio"
VERSIONS = re.compile(r"fio-(3\.\d+.*)")
_MIB, _KIB_OF_MIB, _NS = Decimal(2**20), Decimal(1024), Decimal(1_000_000)
UNKNOWN_OF_FILES = tuple(one for one in UNKNOWN if one not in ("server", "variables", "dataset"))


def recognises(text: str) -> bool:
    """Returns whether a text holds a JSON object with fio's version."""
    return '"fio version"' in text


def read(text: Text) -> list[Adopted]:
    """Returns every group of jobs of every object in fio's JSON, which may have text around and between them.

    Raises InputError for another version, JSON that is cut short, and a job that lacks a number.
    """
    objects = json_objects(text)
    if not objects:
        raise InputError(f"{text.file}:1: expected the JSON object of fio to begin a line with {{")
    entries: dict[int, Entry] = {}
    refused: dict[int, InputError] = {}
    runs: list[list[Line]] = []
    before: Entry | None = None
    for one in objects:
        runs.append(one.lines)
        if isinstance(one.found, InputError):
            refused[id(one.lines)] = one.found
            continue
        entry = Entry(text.file, "", one.found, one.lines[0].number)
        if before is not None and _goes_on(before, entry):
            lines = runs.pop(-2)
            text.left_runs.append(
                LeftRun(lines[0].number, lines[-1].number, "an intermediate result of the run that follows")
            )
        before = entries[id(one.lines)] = entry

    def run(lines: Sequence[Line]) -> list[Adopted]:
        if id(lines) in refused:
            raise refused[id(lines)]
        for line in lines:
            line.take()
        return _run(entries[id(lines)])

    return [one for groups in text.each_run(runs, run) for one in groups]


def _run(whole: Entry) -> list[Adopted]:
    """Returns the groups of one object."""
    version = whole.text("fio version")
    known = VERSIONS.fullmatch(version)
    if known is None:
        raise InputError(f"{whole.file}:{whole.line}: expected the JSON of fio 3, found {version}")
    options = _options(whole)
    groups: dict[str, list[Entry]] = {}
    for job in _jobs(whole):
        if job.found.get("error", "0") != "0":
            raise job.wrong("error", "a job without an error")
        groups.setdefault(job.number("groupid"), []).append(job)
    if not groups:
        raise InputError(f"{whole.file}:{whole.line}: expected jobs, found none")
    disks = list(whole.each("disk_util")) if len(groups) == 1 and "disk_util" in whole.found else []
    return [_group(known[1], options, jobs, disks) for jobs in groups.values()]


_SUM_OF_CLIENTS = "All clients"
"""The job that fio adds to those of several servers, with the sums of their figures (client.c of fio)."""


def _jobs(whole: Entry) -> Iterator[Entry]:
    """Yields the jobs of an object; with `--client` they are those of all servers."""
    if "client_stats" not in whole.found:
        yield from whole.each("jobs")
        return
    for job in whole.each("client_stats"):
        if job.text("jobname") != _SUM_OF_CLIENTS:
            yield job


def _options(whole: Entry) -> Entry:
    """Returns the options of all jobs; of several servers, each with a list of its own, those they share."""
    key = "global options"
    if not isinstance(whole.found.get(key), list):
        return whole.below(key, needed=False)
    first, *others = (of.found for of in whole.each(key)) if whole.found[key] else ({},)
    shared = {
        name: value
        for name, value in first.items()
        if name not in ("hostname", "port") and all(of.get(name) == value for of in others)
    }
    return Entry(whole.file, key, shared, whole.line)


def _goes_on(before: Entry, entry: Entry) -> bool:
    """Returns whether an object has a later state of the run before it (`--status-interval`): the same jobs,
    begun at the same second.
    """

    def jobs(of: Entry) -> list[Any]:
        listed = of.found.get("jobs", of.found.get("client_stats"))
        return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []

    def begin(of: Entry, job: Mapping[str, Any]) -> float:
        return float(of.found.get("timestamp", "0")) - float(job.get("elapsed", "0"))

    pairs = list(zip(jobs(before), jobs(entry), strict=False))
    try:
        return bool(pairs) and all(
            one.get("jobname") == other.get("jobname")
            and one.get("job options") == other.get("job options")
            and abs(begin(before, one) - begin(entry, other)) <= 1
            and float(one.get("elapsed", "0")) < float(other.get("elapsed", "0"))
            for one, other in pairs
        )
    except (TypeError, ValueError):
        return False


@dataclass(frozen=True)
class Entry:
    """An object of the JSON with its place, and errors that name it."""

    file: str
    place: str
    found: Mapping[str, Any]
    line: int = 1

    def _at(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def wrong(self, key: str, expected: str) -> InputError:
        said = "nothing" if key not in self.found else json.dumps(self.found[key])[:60]
        at = f":{self.line}" if self.line > 1 else ""
        return InputError(f"{self.file}{at}: {self._at(key)}: expected {expected}, found {said}")

    def text(self, key: str) -> str:
        value = self.found.get(key)
        if not isinstance(value, str) or isinstance(value, Number):
            raise self.wrong(key, "a text")
        return value

    def number(self, key: str) -> str:
        value = self.found.get(key)
        if not isinstance(value, Number) or not math.isfinite(float(value)):
            raise self.wrong(key, "a number")
        return str(value)

    def below(self, key: str, *, needed: bool = True) -> Entry:
        value = self.found.get(key)
        if value is None and not needed:
            value = {}
        if not isinstance(value, dict):
            raise self.wrong(key, "an object")
        return Entry(self.file, self._at(key), value, self.line)

    def each(self, key: str) -> Iterator[Entry]:
        value = self.found.get(key)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(key, "a list of objects")
        yield from (
            Entry(self.file, f"{self._at(key)}[{at}]", one, self.line) for at, one in enumerate(value)
        )

    def figure(
        self, key: str, name: str, unit: str, by: Decimal | None = None, how: str = ""
    ) -> PrintedFigure:
        """Returns a number, divided by `by`."""
        text = self.number(key)
        value = float(text) if by is None else float(Decimal(text) / by)
        if value < 0:
            raise self.wrong(key, "no negative number")
        return PrintedFigure(
            name=name, unit=unit, value=value, text=text, file=self.file, place=self.named(key), how=how
        )

    def named(self, key: str) -> str:
        """Returns the place of a number; of an object that does not begin the file, with the line of it."""
        return f"line {self.line}: {self._at(key)}" if self.line > 1 else self._at(key)


def _group(version: str, options: Entry, jobs: Sequence[Entry], disks: Sequence[Entry]) -> Adopted:
    """Returns the jobs that ran together as one load point."""
    own = jobs[0].below("job options", needed=False)
    settings = {name: str(value) for name, value in {**options.found, **own.found}.items()}
    settings["job"] = ", ".join(dict.fromkeys(job.text("jobname") for job in jobs))
    depths = {job.number("latency_depth") for job in jobs}
    figures: list[PrintedFigure] = []
    if len(jobs) == 1:
        figures += _job(jobs[0], "")
    else:
        for job in jobs:
            figures += _job(job, f"{_name(job)}.")
    figures += _totals(jobs)
    figures += _disk(disks)
    return Adopted(
        tool=TOOL,
        version=version,
        kind="storage",
        workload=TOOL,
        printed=Printed(figures=figures),
        load=LoadPoint("iodepth", float(depths.pop())) if len(depths) == 1 else None,
        settings=settings,
        unknown=(*UNKNOWN_OF_FILES, "histogram", "seconds"),
    )


def _name(job: Entry) -> str:
    """Returns the name of a job among others; with `--client` with that of its server."""
    name = job.text("jobname")
    return f"{job.text('hostname')}.{name}" if "hostname" in job.found else name


_OF_SIDE = ("read", "write")


def _moving(job: Entry) -> Iterator[tuple[str, Entry]]:
    for name in _OF_SIDE:
        side = job.below(name)
        if side.number("total_ios") != "0":
            yield name, side


def _totals(jobs: Sequence[Entry]) -> Iterator[PrintedFigure]:
    """Yields the rates of all jobs and directions together; printed where there is one of each."""
    sides = [side for job in jobs for _, side in _moving(job)]
    if not sides:
        raise jobs[0].wrong("read", "operations read or written, which fio counted")
    rates: tuple[tuple[str, str, str, Decimal | None], ...] = (
        ("iops", "iops", "/s", None),
        ("bw_bytes", "mib_per_s", "MiB/s", _MIB),
    )
    for key, name, unit, by in rates:
        if len(sides) == 1:
            how = "" if by is None else f"{key} / 2^20"
            yield sides[0].figure(key, name, unit, by, how)
            continue
        total = sum((Decimal(side.number(key)) for side in sides), Decimal(0))
        how = " + ".join(side.number(key) for side in sides)
        yield PrintedFigure(
            name=name,
            unit=unit,
            value=float(total if by is None else total / by),
            text="",
            file=sides[0].file,
            place=sides[0].named(key),
            how=how if by is None else f"({how}) / 2^20",
        )
    longest = max(sides, key=lambda side: Decimal(side.number("runtime")))
    yield longest.figure("runtime", "elapsed_s", "s", Decimal(1000), "runtime / 1000, the longest")
    if len(sides) == 1:
        yield sides[0].figure("total_ios", "transactions", "")


def _job(job: Entry, of: str) -> Iterator[PrintedFigure]:
    """Yields the figures of one job; of one among several, those that have its name before them."""
    if of:
        for _, side in _moving(job):
            if len(list(_moving(job))) == 1:
                yield side.figure("iops", f"{of}iops", "/s")
                yield side.figure("bw_bytes", f"{of}mib_per_s", "MiB/s", _MIB, "bw_bytes / 2^20")
        return
    for name, side in _moving(job):
        yield from _side(name, side)
    sync = job.below("sync", needed=False)
    if sync.found and sync.number("total_ios") != "0":
        yield from _times("sync", sync.below("lat_ns"))
    yield job.figure("usr_cpu", "worker_user_pct", "%")
    yield job.figure("sys_cpu", "worker_system_pct", "%")
    yield job.figure("ctx", "context_switches", "")
    yield job.figure("majf", "major_faults", "")
    yield job.figure("minf", "minor_faults", "")
    if job.found.get("total_err", "0") != "0":
        yield job.figure("total_err", "errors", "")
    for key, name in (
        ("iodepth_level", "depth"),
        ("iodepth_submit", "submitted"),
        ("iodepth_complete", "collected"),
    ):
        levels = job.below(key)
        for level in levels.found:
            yield levels.figure(level, f"{name}_{level.replace('>=64', '64_up')}_pct", "%")
    yield from _shares(job)


def _side(name: str, side: Entry) -> Iterator[PrintedFigure]:
    yield side.figure("iops", f"{name}_iops", "/s")
    yield side.figure("bw_bytes", f"{name}_mib_per_s", "MiB/s", _MIB, "bw_bytes / 2^20")
    yield side.figure("io_bytes", f"{name}_mib", "MiB", _MIB, "io_bytes / 2^20")
    yield side.figure("total_ios", f"{name}_issued", "")
    yield side.figure("short_ios", f"{name}_short", "")
    yield from _times(name, side.below("lat_ns"))
    yield from _times(f"{name}_submit", side.below("slat_ns"))
    yield from _times(f"{name}_completion", side.below("clat_ns"))
    if side.found.get("bw_samples", "0") != "0":
        for key, what in (("bw_min", "min"), ("bw_max", "max"), ("bw_mean", "mean"), ("bw_dev", "stdev")):
            measure = f"{name}_bandwidth_{what}"
            yield side.figure(key, measure, "MiB/s", _KIB_OF_MIB, f"{key} in KiB/s / 1024")
    if side.found.get("iops_samples", "0") != "0":
        for what in ("min", "max", "mean"):
            yield side.figure(f"iops_{what}", f"{name}_iops_{what}", "/s")
        yield side.figure("iops_stddev", f"{name}_iops_stdev", "/s")


_RANKS = {"50.000000": "p50", "95.000000": "p95", "99.000000": "p99", "99.900000": "p99_9"}


def _times(name: str, times: Entry) -> Iterator[PrintedFigure]:
    """Yields times in milliseconds: fio's are in nanoseconds. Without an operation there are none."""
    if times.found.get("N", "1") == "0" or not times.found:
        return
    for key, what in (("min", "min"), ("mean", "mean"), ("stddev", "stdev"), ("max", "max")):
        yield times.figure(key, f"{name}_{what}_ms", "ms", _NS, "ns / 10^6")
    ranks = times.below("percentile", needed=False)
    for key, what in _RANKS.items():
        if key in ranks.found:
            yield ranks.figure(key, f"{name}_{what}_ms", "ms", _NS, "ns / 10^6")


def _shares(job: Entry) -> Iterator[PrintedFigure]:
    for key, by in (("latency_us", 1000), ("latency_ms", 1)):
        levels = job.below(key)
        for level in levels.found:
            if (below := whole_number(level)) is not None and below / by in LATENCIES_MS:
                yield levels.figure(level, f"latency_below_{below / by:g}_ms_pct", "%")
            elif level.startswith(">="):
                yield levels.figure(level, "latency_beyond_pct", "%")


def _disk(disks: Sequence[Entry]) -> Iterator[PrintedFigure]:
    """Yields the work of the disk, where there is one."""
    if len(disks) != 1:
        return
    (disk,) = disks
    yield disk.figure("util", "disk_util_pct", "%")
    for side in _OF_SIDE:
        yield disk.figure(f"{side}_ios", f"disk_{side}_ios", "")
        yield disk.figure(f"{side}_merges", f"disk_{side}_merges", "")
        yield disk.figure(f"{side}_ticks", f"disk_{side}_ticks_ms", "ms")
    yield disk.figure("in_queue", "disk_queue_ms", "ms")
