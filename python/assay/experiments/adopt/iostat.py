"""Reads logs of iostat, best of `iostat -xt 1`: the processors, and each device."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.design.folder import PrintedFigure, PrintedSeries
from assay.experiments.adopt.clock import readings_at, time_of_day
from assay.experiments.adopt.companion_files import CompanionFile, mean_of
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "iostat"
_HEAD = re.compile(r"Linux \S+ \(.*\)\s.*\((\d+) CPU\)\s*")
_CPU = "avg-cpu:"
_TIME = re.compile(r"[\d/.\-]+[T ]\d{1,2}:\d\d:\d\d.*")
_US = 1e6
_CPU_NAMES = {
    "%user": "user_us",
    "%nice": "nice_us",
    "%system": "system_us",
    "%iowait": "iowait_us",
    "%steal": "steal_us",
}
_RATES: Mapping[str, tuple[str, float]] = {
    "r/s": (".reads", 1),
    "w/s": (".writes", 1),
    "f/s": (".flushes", 1),
    "rkB/s": (".read_bytes", 1024),
    "wkB/s": (".write_bytes", 1024),
    "rMB/s": (".read_bytes", 2**20),
    "wMB/s": (".write_bytes", 2**20),
    "kB_read/s": (".read_bytes", 1024),
    "kB_wrtn/s": (".write_bytes", 1024),
    "aqu-sz": (".queue_time_us", _US),
    "avgqu-sz": (".queue_time_us", _US),
    "%util": (".busy_us", _US / 100),
}
"""Endings of the sampler `disks` for the columns, with what turns them into its rates."""
_WAITS = {"r_await": ("r/s", ".read_time_us"), "w_await": ("w/s", ".write_time_us")}


def recognises(text: str) -> bool:
    """Returns whether a text has iostat's head and a report."""
    if " CPU)" not in text:
        return False
    lines = text.splitlines()
    return any(_HEAD.fullmatch(line) for line in lines[:5]) and any(
        line.startswith((_CPU, "Device")) for line in lines
    )


@dataclass
class _Report:
    """One report: shares of the processors, and rates of the devices, by the columns' names."""

    line: Line
    time: float | None
    cpu: dict[str, float] = field(default_factory=dict)
    devices: dict[str, dict[str, float]] = field(default_factory=dict)


def read(text: Text, every_s: float | None) -> list[CompanionFile]:
    """Returns each log in a text: the reports after its first one, which is the mean since the machine
    started unless iostat was called with -y.

    Raises InputError for a log of one report, and for reports without times.
    """
    logs: list[list[Line]] = []
    for line in text.lines:
        if _HEAD.fullmatch(line.text) or not logs:
            logs.append([])
        logs[-1].append(line)
    return [_beside(text.file, log, every_s) for log in logs if any(_HEAD.fullmatch(one.text) for one in log)]


def _beside(file: str, lines: Sequence[Line], every_s: float | None) -> CompanionFile:
    reports, cores = _reports(lines)
    whole = [one for one in reports if one.cpu or one.devices]
    if len(whole) < 2:
        raise cut_short(file, lines, "the second report: the first is the mean since the machine started")
    at = readings_at([one.line for one in reports], [one.time for one in reports], every_s)
    kept = [(time, one) for time, one in zip(at, reports, strict=True) if one.cpu or one.devices][1:]
    times, kept_reports = [time for time, _ in kept], [one for _, one in kept]
    return CompanionFile(
        tool=TOOL,
        of_machine=True,
        figures=tuple(_figures(file, kept_reports)),
        series=(*_processors(kept_reports, times, cores), *_devices(kept_reports, times)),
        known={"other-load": "other-programs"},
    )


def _reports(lines: Sequence[Line]) -> tuple[list[_Report], int]:
    reports: list[_Report] = []
    cores, part = 1, ""
    columns: list[str] = []
    seen: set[str] = set()  # parts of the current report
    for line in lines:
        words = line.text.split()
        if head := _HEAD.fullmatch(line.text):
            line.take()
            cores = int(head[1])
        elif not words:
            part = ""
        elif _TIME.fullmatch(line.text.strip()):
            line.take()
            seen = {"time"}
            reports.append(_Report(line, time_of_day(line.text)))
        elif words[0] == _CPU or words[0].startswith("Device"):
            line.take()
            part = "cpu" if words[0] == _CPU else "devices"
            columns = words[1:]
            if not reports or part in seen:
                reports.append(_Report(line, None))
                seen = set()
            seen.add(part)
        elif part == "cpu":
            reports[-1].cpu = _numbers(line, words, columns)
        elif part == "devices" and (row := _numbers(line, words[1:], columns)):
            reports[-1].devices[words[0]] = row
    return reports, cores


def _numbers(line: Line, words: Sequence[str], columns: Sequence[str]) -> dict[str, float]:
    """Takes a row and returns its numbers; nothing of a row that is not whole."""
    try:
        found = {name: float(word.replace(",", ".")) for name, word in zip(columns, words, strict=True)}
    except ValueError:
        return {}
    line.take()
    return found


def _figures(file: str, reports: Sequence[_Report]) -> list[PrintedFigure]:
    place = f"lines {reports[0].line.number}-{reports[-1].line.number}"
    found = []
    shares = [one.cpu for one in reports if {"%idle", "%iowait"} <= one.cpu.keys()]
    if shares:
        busy = [100 - one["%idle"] - one["%iowait"] for one in shares]
        waits = [one["%iowait"] for one in shares]
        found += [
            mean_of(file, "iowait_pct", "%", waits, place=place, of="%iowait"),
            mean_of(file, "cpu_busy_pct", "%", busy, place=place, of="100 - %idle - %iowait"),
        ]
    names = {name for one in reports for name, row in one.devices.items() if "%util" in row}
    if names:
        used = {name: [one.devices.get(name, {}).get("%util", 0.0) for one in reports] for name in names}
        busiest = max(sorted(used), key=lambda name: sum(used[name]))
        found.append(
            mean_of(file, "disk_util_pct", "%", used[busiest], place=place, of=f"%util of {busiest}")
        )
    return found


def _processors(reports: Sequence[_Report], at: Sequence[float], cores: int) -> list[PrintedSeries]:
    """Returns the time of the processors a second, in µs, as the sampler `cpu` has it."""
    found = []
    for column, name in _CPU_NAMES.items():
        pairs = [
            (time, one.cpu[column] / 100 * cores * _US)
            for time, one in zip(at, reports, strict=True)
            if column in one.cpu
        ]
        found += [_series("cpu", name, pairs)] if pairs else []
    return found


def _devices(reports: Sequence[_Report], at: Sequence[float]) -> list[PrintedSeries]:
    """Returns the rates of every device that did anything."""
    found = []
    for device in dict.fromkeys(name for one in reports for name in one.devices):
        rows = [
            (time, one.devices[device])
            for time, one in zip(at, reports, strict=True)
            if device in one.devices
        ]
        if not any(any(row.values()) for _, row in rows):
            continue
        for column in rows[0][1]:
            if column in _RATES:
                ending, scale = _RATES[column]
                pairs = [(time, row.get(column, 0.0) * scale) for time, row in rows]
                found.append(_series("disks", f"{device}{ending}", pairs))
            elif column in _WAITS:
                of, ending = _WAITS[column]
                pairs = [(time, row.get(column, 0.0) * 1000 * row.get(of, 0.0)) for time, row in rows]
                found.append(_series("disks", f"{device}{ending}", pairs))
    return found


def _series(source: str, name: str, pairs: Sequence[tuple[float, float]]) -> PrintedSeries:
    return PrintedSeries(
        source=source, name=name, t_s=[time for time, _ in pairs], value=[value for _, value in pairs]
    )
