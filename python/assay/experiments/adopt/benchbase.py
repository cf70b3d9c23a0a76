"""Reads results of BenchBase (OLTP-Bench): `summary.json`, and the windows of time of `results.csv`."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.design.folder import Printed, PrintedFigure, PrintedInterval, PrintedSeries
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.json_objects import Number, json_objects
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "BenchBase"
_GOODPUT = "Goodput (requests/second)"
_THROUGHPUT = "Throughput (requests/second)"
_CSV = re.compile(r"Time ?\(seconds?\), ?Throughput ?\((?:requests/second|req/sec?)\), ?.*", re.IGNORECASE)
_LATENCY = re.compile(r"(\S+?)(?:th)? (?:Percentile )?(?:Latency|lat)\.? ?\((\w+)\)", re.IGNORECASE)
_STATS = {
    "average": "mean",
    "avg": "mean",
    "minimum": "min",
    "min": "min",
    "maximum": "max",
    "max": "max",
    "median": "p50",
}
_TO_MS = {
    "microseconds": Decimal("0.001"),
    "microsecond": Decimal("0.001"),
    "millisecond": Decimal(1),
    "milliseconds": Decimal(1),
    "ms": Decimal(1),
}
_SETTINGS = {
    "Benchmark Type": "benchmark",
    "scalefactor": "scale",
    "isolation": "isolation",
    "DBMS Type": "database",
}
_VARIABLE_UNKNOWN = ("variables", "dataset", "host", "start", "warm-up", "other-load")


def recognises(text: str) -> bool:
    """Returns whether a text is a summary of BenchBase, or the windows of one of its runs."""
    return f'"{_GOODPUT}"' in text or any(
        _CSV.fullmatch(line.strip()) for line in text[:4096].splitlines()[:3]
    )


def read(text: Text) -> list[Adopted]:
    """Returns the run of each summary or CSV file in a text. Raises InputError for one that is cut short."""
    if f'"{_GOODPUT}"' not in text.whole:
        return text.each_run(_csv_runs(text), lambda lines: _of_csv(text.file, lines))
    objects = json_objects(text)
    by_lines = {id(one.lines): one.found for one in objects}

    def run(lines: Sequence[Line]) -> Adopted:
        found = by_lines[id(lines)]
        if isinstance(found, InputError):
            raise found
        adopted = _of_summary(text.file, lines, found)
        for line in lines:
            line.take()
        return adopted

    return text.each_run([one.lines for one in objects], run)


def _of_summary(file: str, lines: Sequence[Line], found: Mapping[str, Any]) -> Adopted:
    line = lines[0].number
    state = found.get("Final State")
    if state not in (None, "EXIT", "DONE"):
        raise InputError(
            f"{file}:{line}: Final State: expected EXIT, found {state}: the run did not end by itself"
        )

    def figure(key: str, of: Mapping[str, Any], name: str, unit: str, by: Decimal, how: str) -> PrintedFigure:
        text = of.get(key)
        if not isinstance(text, Number):
            raise InputError(f"{file}:{line}: {key}: expected a number, found {text!r}")
        return PrintedFigure(
            name=name,
            unit=unit,
            value=float(Decimal(text) * by),
            text=str(text),
            file=file,
            place=key,
            how=how,
        )

    one = Decimal(1)
    figures = [
        figure(_THROUGHPUT, found, "requests_per_s", "/s", one, ""),
        figure(_GOODPUT, found, "tps", "/s", one, ""),
    ]
    if "Elapsed Time (nanoseconds)" in found:
        figures.append(
            figure("Elapsed Time (nanoseconds)", found, "elapsed_s", "s", Decimal("1e-9"), "ns / 10^9")
        )
    if "Measured Requests" in found:
        figures.append(figure("Measured Requests", found, "transactions", "", one, ""))
    listed = found.get("Latency Distribution")
    times: Mapping[str, Any] = listed if isinstance(listed, dict) else {}
    for key in times:
        if known := _latency(key):
            name, by = known
            figures.append(figure(key, times, name, "ms", by, "" if by == 1 else "us / 1000"))
    terminals = str(found.get("terminals", ""))
    settings = {name: str(found[key]) for key, name in _SETTINGS.items() if found.get(key) is not None}
    return Adopted(
        tool=TOOL,
        version="",
        kind="server",
        workload="benchbase",
        printed=Printed(figures=figures),
        load=LoadPoint("threads", float(terminals)) if whole_number(terminals) else None,
        settings=settings
        | ({"server_version": str(found["DBMS Version"])} if found.get("DBMS Version") else {}),
        unknown=(*_VARIABLE_UNKNOWN, "histogram", "seconds", "version"),
    )


def _latency(head: str) -> tuple[str, Decimal] | None:
    """Returns the measure that a name of a latency stands for, and what turns it into ms."""
    said = _LATENCY.fullmatch(head.strip())
    if said is None or said[2].lower() not in _TO_MS:
        return None
    what = said[1].lower()
    stat = _STATS.get(what) or (f"p{what}" if whole_number(what) else "")
    return (f"{stat}_ms", _TO_MS[said[2].lower()]) if stat else None


def _csv_runs(text: Text) -> list[list[Line]]:
    runs: list[list[Line]] = []
    for line in text.lines:
        if _CSV.fullmatch(line.text.strip()):
            runs.append([])
        if runs:
            runs[-1].append(line)
    return runs


def _rows(lines: Sequence[Line]) -> Iterator[tuple[Line, dict[str, Decimal]]]:
    """Yields the windows of time; a row that is not whole stays left over."""
    (head,) = csv.reader([lines[0].text])
    lines[0].take()
    for line in lines[1:]:
        fields = line.text.split(",")
        try:
            numbers = [Decimal(one.strip()) for one in fields]
        except InvalidOperation:
            continue
        if len(numbers) == len(head):
            line.take()
            yield line, dict(zip((one.strip() for one in head), numbers, strict=True))


def _of_csv(file: str, lines: Sequence[Line]) -> Adopted:
    rows = list(_rows(lines))
    if len(rows) < 2:
        raise cut_short(file, lines, "the second window of time")
    time, rate = list(rows[0][1])[:2]
    seconds = float(rows[1][1][time] - rows[0][1][time])
    intervals = [
        PrintedInterval(t_s=float(row[time]), seconds=seconds, tps=float(row[rate])) for _, row in rows
    ]
    series = [
        PrintedSeries(
            source=TOOL,
            name=known[0],
            t_s=[one.t_s for one in intervals],
            value=[float(row[head] * known[1]) for _, row in rows],
        )
        for head in rows[0][1]
        if (known := _latency(head)) is not None
    ]
    mean = PrintedFigure(
        name="tps",
        unit="/s",
        value=sum(one.tps or 0.0 for one in intervals) / len(intervals),
        text="",
        file=file,
        place=f"lines {rows[0][0].number}-{rows[-1][0].number}",
        how=f"mean of {rate} over {len(rows)} windows of {seconds:g} s",
    )
    return Adopted(
        tool=TOOL,
        version="",
        kind="server",
        workload="benchbase-results",
        printed=Printed(figures=[mean], intervals=intervals, series=series),
        unknown=(*UNKNOWN, "workload", "histogram", "version"),
    )
