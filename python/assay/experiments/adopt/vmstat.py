"""Reads logs of vmstat, with or without timestamps (`vmstat -t 1`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.base.decoding import whole_number
from assay.design.folder import PrintedSeries
from assay.experiments.adopt.clock import has_gap, readings_at, time_of_day
from assay.experiments.adopt.companion_files import CompanionFile, mean_of
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "vmstat"
_GROUPS = re.compile(r"-*procs-* -+memory-+ .*")
_COLUMNS = re.compile(r"\s*r\s+b\s+swpd\s+free\s.*\sid\s+wa\b.*")
_NAMES = {"r": "procs_running", "b": "procs_blocked", "cs": "context_switches", "in": "interrupts"}
"""Names of the sampler `cpu` for the columns that mean the same, in the same unit."""
_LEAST_PAGE = 18
"""Readings below one head at least: into a file, vmstat repeats its head for a screen of 24 lines or more."""


@dataclass
class _Log:
    """The readings of one call of vmstat. A row that cannot be read is None: it took its time, too."""

    columns: list[str] = field(default_factory=list)
    rows: list[tuple[Line, list[float] | None, float | None]] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)  # rows below each head


def recognises(text: str) -> bool:
    """Returns whether a text has vmstat's heads."""
    return "procs" in text and any(_GROUPS.match(line) for line in text.splitlines())


def read(text: Text, every_s: float | None) -> list[CompanionFile]:
    """Returns each log in a text: the readings after its first one, which is the mean since the machine
    started.

    Raises InputError for a log of one reading, and for readings without times.
    """
    logs = _logs(text.lines)
    return [_beside(text, log, every_s) for log in logs]


def _logs(lines: Sequence[Line]) -> list[_Log]:
    """Returns the readings by calls of vmstat: logs are often appended to one file."""
    logs: list[_Log] = []
    for line in lines:
        words = line.text.split()
        if _GROUPS.match(line.text):
            line.take()
            if not logs or _is_other_call(logs[-1]):
                logs.append(_Log())
            logs[-1].pages.append(0)
        elif _COLUMNS.match(line.text) and logs:
            line.take()
            logs[-1].columns = [word for word in words if word.islower()]
        elif words and logs and logs[-1].columns:
            columns = logs[-1].columns
            numbers, rest = words[: len(columns)], " ".join(words[len(columns) :])
            known = len(numbers) == len(columns) and all(whole_number(word) is not None for word in numbers)
            if known:
                line.take()
                time = time_of_day(rest)
                if has_gap([at for _, _, at in logs[-1].rows], time):
                    logs.append(_Log(columns, [], [0]))
                logs[-1].rows.append((line, [float(word) for word in numbers], time))
                logs[-1].pages[-1] += 1
            elif whole_number(words[0]) is not None:
                logs[-1].rows.append((line, None, time_of_day(rest)))
    return [log for log in logs if log.rows]


def _is_other_call(log: _Log) -> bool:
    """Returns whether a further head begins another log: the page before it is short, or shorter than the
    first.
    """
    return log.pages[-1] < max(_LEAST_PAGE, log.pages[0])


def _beside(text: Text, log: _Log, every_s: float | None) -> CompanionFile:
    whole = [row for row in log.rows if row[1] is not None]
    if len(whole) < 2:
        raise cut_short(
            text.file,
            [line for line, _, _ in log.rows],
            "the second reading: the first is the mean since the machine started",
        )
    times = [time for _, _, time in whole]
    if None in times:
        places = readings_at([line for line, _, _ in log.rows], [None] * len(log.rows), every_s)
        at = [place for place, (_, row, _) in zip(places, log.rows, strict=True) if row is not None][1:]
    else:
        at = readings_at([line for line, _, _ in whole], times, every_s)[1:]
    rows = [(line, row) for line, row, _ in whole[1:] if row is not None]
    values = {name: [row[number] for _, row in rows] for number, name in enumerate(log.columns)}
    place = f"lines {rows[0][0].number}-{rows[-1][0].number}"
    busy = [100 - idle - wait for idle, wait in zip(values["id"], values["wa"], strict=True)]
    return CompanionFile(
        tool=TOOL,
        of_machine=True,
        figures=(
            mean_of(text.file, "run_queue", "", values["r"], place=place, of="r"),
            mean_of(text.file, "iowait_pct", "%", values["wa"], place=place, of="wa"),
            mean_of(text.file, "cpu_busy_pct", "%", busy, place=place, of="100 - id - wa"),
        ),
        series=tuple(_series(values, at)),
        known={"other-load": "other-programs"},
    )


def _series(values: dict[str, list[float]], at: list[float]) -> list[PrintedSeries]:
    return [
        PrintedSeries(
            source="cpu" if name in _NAMES else TOOL, name=_NAMES.get(name, name), t_s=at, value=readings
        )
        for name, readings in values.items()
    ]
