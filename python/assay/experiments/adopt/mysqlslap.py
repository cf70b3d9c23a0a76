"""Reads what mysqlslap prints: its text, and its CSV (`--csv`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from assay.design.folder import Printed, PrintedFigure
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "mysqlslap"
_BEGIN = re.compile(r"\s*Benchmark\s*")
_AVERAGE = "Average number of seconds to run all queries"
_SECONDS = re.compile(
    r"\s*(Average|Minimum|Maximum) number of seconds to run all queries: ([\d.]+) seconds\s*"
)
_CLIENTS = re.compile(r"\s*Number of clients running queries: (\d+)\s*")
_QUERIES = re.compile(r"\s*Average number of queries per client: (\d+)\s*")
_ENGINE = re.compile(r"\s*Running for engine (\S+)\s*")
_CSV = re.compile(r"([\w.-]*),([\w .-]*),(\d+\.\d{3}),(\d+\.\d{3}),(\d+\.\d{3}),(\d+),(\d+)[ \t\r]*")
_NAMES = {"Average": "mean", "Minimum": "min", "Maximum": "max"}


def recognises(text: str) -> bool:
    """Returns whether a text is mysqlslap's: its sentences, or rows of its CSV."""
    if _AVERAGE in text:
        return True
    rows = re.findall(rf"(?m)^{_CSV.pattern}$", text)
    return bool(rows) and all(float(low) <= float(mean) <= float(high) for _, _, mean, low, high, *_ in rows)


def read(text: Text) -> list[Adopted]:
    """Returns every run in a text. Raises InputError for one that is cut short."""
    if _AVERAGE not in text.whole:
        return [_of_row(line) for line in text.lines if _CSV.fullmatch(line.text)]
    runs: list[list[Line]] = []
    for line in text.lines:
        if _BEGIN.fullmatch(line.text):
            runs.append([])
        if runs:
            runs[-1].append(line)
    return text.each_run(runs, lambda lines: _run(text.file, lines))


def _run(file: str, lines: Sequence[Line]) -> Adopted:
    figures: dict[str, PrintedFigure] = {}
    settings: dict[str, str] = {}
    lines[0].take()
    for line in lines:
        if said := _SECONDS.fullmatch(line.text):
            name = f"run_{_NAMES[said[1]]}_s"
            figures[name] = line.figure(name, "s", said[2])
        elif said := _CLIENTS.fullmatch(line.text):
            figures["clients"] = line.figure("clients", "", said[1])
        elif said := _QUERIES.fullmatch(line.text):
            figures["queries_per_client"] = line.figure("queries_per_client", "", said[1])
        elif said := _ENGINE.fullmatch(line.text):
            line.take()
            settings["engine"] = said[1]
    for name in ("run_mean_s", "run_min_s", "run_max_s", "clients", "queries_per_client"):
        if name not in figures:
            raise cut_short(file, lines, f"the line with {name}")
    return _adopted(figures, settings)


def _of_row(line: Line) -> Adopted:
    said = _CSV.fullmatch(line.text)
    assert said is not None
    names = (
        ("run_mean_s", "s"),
        ("run_min_s", "s"),
        ("run_max_s", "s"),
        ("clients", ""),
        ("queries_per_client", ""),
    )
    figures = {
        name: line.figure(name, unit, text)
        for (name, unit), text in zip(names, said.groups()[2:], strict=True)
    }
    settings = {name: said[at] for name, at in (("engine", 1), ("load_type", 2)) if said[at]}
    return _adopted(figures, settings)


def _adopted(figures: dict[str, PrintedFigure], settings: dict[str, str]) -> Adopted:
    return Adopted(
        tool=TOOL,
        version="",
        kind="server",
        workload=TOOL,
        printed=Printed(figures=[*figures.values(), *_rate(figures)]),
        load=LoadPoint("threads", figures["clients"].value),
        settings=settings | {"queries_per_client": figures["queries_per_client"].text},
        unknown=(*UNKNOWN, "workload", "histogram", "seconds", "version"),
    )


def _rate(figures: dict[str, PrintedFigure]) -> list[PrintedFigure]:
    """Returns the queries a second: those of all clients in the mean time of a run."""
    mean, clients, queries = (figures[one] for one in ("run_mean_s", "clients", "queries_per_client"))
    if not mean.value:
        return []
    total = Decimal(clients.text) * Decimal(queries.text)
    return [
        PrintedFigure(
            name="qps",
            unit="/s",
            value=float(total / Decimal(mean.text)),
            text="",
            file=mean.file,
            place=mean.place,
            how=f"{clients.text} * {queries.text} / {mean.text} s",
        )
    ]
