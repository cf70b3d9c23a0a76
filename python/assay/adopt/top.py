"""Reads logs of top in batch mode (`top -b -d 1`): the load average, and the processors."""

from __future__ import annotations

import re

from assay.adopt.beside import Beside, mean_of
from assay.adopt.clock import readings_at, time_of_day
from assay.adopt.lines import Line, cut_short, lines_of
from assay.folder import PrintedSeries

TOOL = "top"
_HEAD = re.compile(r"top - (\d+:\d\d:\d\d) up .*load average: ([\d.]+), ([\d.]+), ([\d.]+)\s*")
_CPU = re.compile(r"%?Cpu\(s\):.*")
_SHARE = re.compile(r"([\d.]+)[ %]\s*(us|sy|ni|id|wa|hi|si|st)\b")


def recognises(text: str) -> bool:
    """Returns whether a text has the first line of top."""
    return any(line.startswith("top - ") and "load average:" in line for line in text.splitlines())


def read(file: str, text: str, every_s: float | None) -> Beside:
    """Returns the load average of every reading, and the shares of the processors after the first one, which
    has those since the machine started.

    Raises InputError for a line that cannot be read.
    """
    lines = lines_of(file, text)
    heads: list[tuple[Line, re.Match[str]]] = []
    shares: list[dict[str, float]] = []
    for line in lines:
        if line.text.startswith("top - "):
            head = _HEAD.fullmatch(line.text)
            if head is None:
                raise line.wrong(
                    "the first line of top, as in top - 10:00:00 up 1 day, …, load average: 1, 1, 1"
                )
            heads.append((line, head))
        elif _CPU.fullmatch(line.text) and len(shares) < len(heads):
            found = {name: float(number) for number, name in _SHARE.findall(line.text)}
            if not {"id", "wa"} <= found.keys():
                raise line.wrong("the shares of the processors, with id and wa")
            shares.append(found)
    if len(heads) < 2 or len(shares) < len(heads):
        raise cut_short(file, lines, "the second reading, and its line %Cpu(s)")
    at = readings_at([line for line, _ in heads], [time_of_day(head[1]) for _, head in heads], every_s)
    loads = [float(head[2]) for _, head in heads]
    waits = [one["wa"] for one in shares[1:]]
    busy = [100 - one["id"] - one["wa"] for one in shares[1:]]
    place = f"lines {heads[0][0].number}-{heads[-1][0].number}"
    return Beside(
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
