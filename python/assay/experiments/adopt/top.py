"""Reads logs of top in batch mode (`top -b -d 1`): the load average, and the processors."""

from __future__ import annotations

import re

from assay.design.folder import PrintedSeries
from assay.experiments.adopt.clock import readings_at, time_of_day
from assay.experiments.adopt.companion_files import CompanionFile, mean_of
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "top"
_HEAD = re.compile(r"top - (\d+:\d\d:\d\d) up .*load average: ([\d.]+), ([\d.]+), ([\d.]+)\s*")
_CPU = re.compile(r"%?Cpu\(s\):.*")
_PROCESSES = re.compile(r"\s*PID\s+USER\s")
_SILENT = re.compile(r"(?:Tasks|Threads):|[KMGT]i?B? ?(?:Mem|Swap)\s*:|(?:Mem|Swap):|%?Cpu\d+\s*:")
"""Lines of which nothing is stored; so are those of processes."""
_SHARE = re.compile(r"([\d.]+)[ %]\s*(us|sy|ni|id|wa|hi|si|st)\b")


def recognises(text: str) -> bool:
    """Returns whether a text has the first line of top."""
    return "top - " in text and any(
        line.startswith("top - ") and "load average:" in line for line in text.splitlines()
    )


def read(text: Text, every_s: float | None) -> list[CompanionFile]:
    """Returns the load average of every reading, and the shares of the processors after the first one, which
    has those since the machine started.

    Raises InputError for a log of one whole reading.
    """
    file, lines = text.file, text.lines
    heads: list[tuple[Line, re.Match[str]]] = []
    shares: list[dict[str, float]] = []
    head: tuple[Line, re.Match[str]] | None = None
    in_processes = False
    for line in lines:
        if line.text.startswith("top - "):
            said = _HEAD.fullmatch(line.text)
            head = (line, said) if said else None
            in_processes = False
        elif _CPU.fullmatch(line.text) and head is not None:
            found = {name: float(number) for number, name in _SHARE.findall(line.text)}
            if {"id", "wa"} <= found.keys():
                line.take()
                head[0].take()
                heads.append(head)
                shares.append(found)
            head = None
        elif _PROCESSES.match(line.text):
            in_processes = True
            line.take()
        elif in_processes or _SILENT.match(line.text):
            line.take()
    if len(heads) < 2:
        raise cut_short(file, lines, "the second reading, and its line %Cpu(s)")
    at = readings_at([line for line, _ in heads], [time_of_day(one[1]) for _, one in heads], every_s)
    loads = [float(one[2]) for _, one in heads]
    waits = [one["wa"] for one in shares[1:]]
    busy = [100 - one["id"] - one["wa"] for one in shares[1:]]
    place = f"lines {heads[0][0].number}-{heads[-1][0].number}"
    log = CompanionFile(
        tool=TOOL,
        of_machine=True,
        figures=(
            mean_of(file, "load_average", "", loads, place=place, of="the first load average"),
            mean_of(file, "iowait_pct", "%", waits, place=place, of="wa"),
            mean_of(file, "cpu_busy_pct", "%", busy, place=place, of="100 - id - wa"),
        ),
        series=(
            PrintedSeries(source="cpu", name="load_1m", t_s=at, value=loads),
            *(
                PrintedSeries(
                    source=TOOL, name=name, t_s=at[1:], value=[one.get(name, 0.0) for one in shares[1:]]
                )
                for name in shares[0]
            ),
        ),
        known={"other-load": "other-programs"},
    )
    return [log]
