"""Reads logs of vmstat, with or without timestamps (`vmstat -t 1`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.adopt.beside import Beside, mean_of
from assay.adopt.clock import readings_at, time_of_day
from assay.adopt.lines import Line, cut_short, lines_of
from assay.folder import PrintedSeries

TOOL = "vmstat"
_GROUPS = re.compile(r"-*procs-* -+memory-+ .*")
_COLUMNS = re.compile(r"\s*r\s+b\s+swpd\s+free\s.*\sid\s+wa\b.*")
_NAMES = {"r": "procs_running", "b": "procs_blocked", "cs": "context_switches", "in": "interrupts"}
"""Names of the sampler `cpu` for the columns that mean the same, in the same unit."""


def recognises(text: str) -> bool:
    """Returns whether a text has vmstat's heads."""
    return any(_GROUPS.match(line) for line in text.splitlines())


def read(file: str, text: str, every_s: float | None) -> Beside:
    """Returns the readings after the first one, which is the mean since the machine started.

    Raises InputError for a line that cannot be read, and for readings without times.
    """
    lines = lines_of(file, text)
    columns: list[str] = []
    rows: list[tuple[Line, list[float], float | None]] = []
    for line in lines:
        words = line.text.split()
        if not words or _GROUPS.match(line.text):
            continue
        if _COLUMNS.match(line.text):
            columns = [word for word in words if word.islower()]
        elif columns:
            rows.append(_row(line, words, columns))
    if len(rows) < 2:
        raise cut_short(file, lines, "the second reading: the first is the mean since the machine started")
    at = readings_at([line for line, _, _ in rows], [time for _, _, time in rows], every_s)[1:]
    values = {name: [row[number] for _, row, _ in rows[1:]] for number, name in enumerate(columns)}
    place = f"lines {rows[1][0].number}-{rows[-1][0].number}"
    busy = [100 - idle - wait for idle, wait in zip(values["id"], values["wa"], strict=True)]
    return Beside(
        tool=TOOL,
        of_machine=True,
        figures=(
            mean_of(file, "run_queue", "", values["r"], place=place, of="r"),
            mean_of(file, "iowait_pct", "%", values["wa"], place=place, of="wa"),
            mean_of(file, "cpu_busy_pct", "%", busy, place=place, of="100 - id - wa"),
        ),
        series=tuple(_series(values, at)),
        known={"other-load": "other-programs"},
    )


def _row(line: Line, words: Sequence[str], columns: Sequence[str]) -> tuple[Line, list[float], float | None]:
    numbers, rest = words[: len(columns)], " ".join(words[len(columns) :])
    if len(numbers) < len(columns) or not all(word.isdigit() for word in numbers):
        raise line.wrong(f"{len(columns)} whole numbers, under {' '.join(columns)}")
    return line, [float(word) for word in numbers], time_of_day(rest)


def _series(values: dict[str, list[float]], at: list[float]) -> list[PrintedSeries]:
    return [
        PrintedSeries(
            source="cpu" if name in _NAMES else TOOL, name=_NAMES.get(name, name), t_s=at, value=readings
        )
        for name, readings in values.items()
    ]
