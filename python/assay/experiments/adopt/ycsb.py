"""Reads the text of YCSB: its summary by operations, and its status lines (`-s`)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import msgspec

from assay.base.decoding import whole_number
from assay.design.folder import Printed, PrintedFigure, PrintedInterval
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "YCSB"
_ROW = re.compile(r"\s*\[([\w%-]+)\], ([^,]+), (-?[\d.]+(?:E-?\d+)?|NaN)\s*")
_STATUS = re.compile(r".*?(\d+) sec: (\d+) operations;(?: ([\d.,]+) current ops/sec;)?.*")
_OPERATIONS = re.compile(r"\s*\[[A-Z-]+: Count=.*")
_THREADS = re.compile(r"(?:-threads|-p threadcount=|threadcount=)\s*(\d+)")
_WORKLOAD = re.compile(r"-P (\S+)")
_VERSION = re.compile(r"\s*YCSB Client ([\d.]\S*)")
_BEGIN = re.compile(r"\s*(?:Command line:|YCSB Client|Loading workload\.\.\.)")
_SILENT = re.compile(
    r"\s*(?:Loading workload\.\.\.|Starting test\.|DBWrapper: report latency .*|Command line:.*|SLF4J: .*"
    r"|.*\bjava\b.*site\.ycsb\..*|mongo client connection created with .*)"
)
_TIMES = {
    "AverageLatency": "mean",
    "MinLatency": "min",
    "MaxLatency": "max",
    "50thPercentileLatency": "p50",
    "95thPercentileLatency": "p95",
    "99thPercentileLatency": "p99",
    "99.9thPercentileLatency": "p99_9",
}
_RANK = re.compile(r"([\d.]+)(?:st|nd|rd|th)PercentileLatency")
_TO_MS = {"us": Decimal("0.001"), "ms": Decimal(1)}


def recognises(text: str) -> bool:
    """Returns whether a text has the first line of YCSB's summary."""
    return "[OVERALL], RunTime(ms)," in text


def read(text: Text) -> list[Adopted]:
    """Returns every run in a text. Raises InputError for one that is cut short."""
    runs: list[list[Line]] = [[]]
    ended = has_head = False
    for line in text.lines:
        begins = _BEGIN.match(line.text) is not None
        if (line.text.strip().startswith("[OVERALL], RunTime") and ended) or (begins and ended):
            runs.append([])
            ended = has_head = False
        has_head = has_head or begins
        ended = ended or line.text.strip().startswith("[OVERALL], RunTime")
        runs[-1].append(line)
    return text.each_run(runs, lambda lines: _run(text.file, lines))


@dataclass
class _Reading:
    version: str = ""
    threads: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    figures: list[PrintedFigure] = field(default_factory=list)
    counts: list[PrintedFigure] = field(default_factory=list)
    errors: list[PrintedFigure] = field(default_factory=list)
    intervals: list[PrintedInterval] = field(default_factory=list)
    done: int = 0


def _run(file: str, lines: Sequence[Line]) -> Adopted:
    found = _Reading()
    for line in lines:
        if said := _ROW.fullmatch(line.text):
            _row(found, line, *said.groups())
        elif said := _STATUS.fullmatch(line.text):
            _status(found, line, int(said[1]), int(said[2]))
        elif said := _VERSION.match(line.text):
            line.take()
            found.version = said[1]
        elif _SILENT.fullmatch(line.text) or _OPERATIONS.fullmatch(line.text):
            line.take()
        if said := _THREADS.search(line.text):
            line.take()
            found.threads = said[1]
        if "-P " in line.text and (said := _WORKLOAD.search(line.text)):
            line.take()
            found.settings["workload"] = said[1].rpartition("/")[2]
    known = {one.name for one in found.figures}
    for name in ("elapsed_s", "tps"):
        if name not in known:
            raise cut_short(file, lines, f"[OVERALL] with {name}")
    total = math.prod(one.value for one in found.figures if one.name in ("elapsed_s", "tps"))
    counted = sum(one.value for one in found.figures if one.name.endswith(".count"))
    if counted < 0.98 * total:  # the summary has no last line
        raise cut_short(file, lines, f"the rest of about {total:.0f} operations")
    return Adopted(
        tool=TOOL,
        version=found.version,
        kind="server",
        workload="ycsb",
        printed=Printed(figures=[*found.figures, *_sums(found)], intervals=found.intervals),
        load=LoadPoint("threads", float(found.threads)) if found.threads else None,
        settings=found.settings,
        unknown=(
            *UNKNOWN,
            "histogram",
            *(() if found.settings else ("workload",)),
            *(() if found.intervals else ("seconds",)),
            *(() if found.version else ("version",)),
        ),
    )


def _row(found: _Reading, line: Line, kind: str, what: str, text: str) -> None:
    """Takes a row of the summary; rows of Java's memory and of a histogram have no place in the store."""
    name = kind.lower().replace("-", "_")
    is_bin = whole_number(what.lstrip(">")) is not None
    if kind.startswith("TOTAL_GC") or is_bin or what.startswith("LatencyVariance") or text == "NaN":
        line.take()
    elif kind == "OVERALL" and what.startswith("RunTime"):
        found.figures.append(_scaled(line, "elapsed_s", "s", text, Decimal("0.001"), "ms / 1000"))
    elif kind == "OVERALL" and what.startswith("Throughput"):
        found.figures.append(line.figure("tps", "/s", text))
    elif what == "Operations":
        found.figures.append(line.figure(f"{name}.count", "", text))
        if kind != "CLEANUP" and not kind.startswith("Intended-") and not kind.endswith("-FAILED"):
            found.counts.append(found.figures[-1])
    elif what.startswith("Return="):
        of = what.removeprefix("Return=").lower() or "ok"
        found.figures.append(line.figure(f"{name}.return_{of}", "", text))
        if of != "ok":
            found.errors.append(found.figures[-1])
    elif time := re.fullmatch(r"(\S+)\((us|ms)\)", what):
        rank = _RANK.fullmatch(time[1])
        stat = _TIMES.get(time[1]) or (f"p{rank[1].replace('.', '_')}" if rank else "")
        if stat:
            how = "" if time[2] == "ms" else "us / 1000"
            found.figures.append(_scaled(line, f"{name}.{stat}_ms", "ms", text, _TO_MS[time[2]], how))


def _scaled(line: Line, name: str, unit: str, text: str, by: Decimal, how: str) -> PrintedFigure:
    value = float(Decimal(text) * by)
    return msgspec.structs.replace(line.figure(name, unit, text), value=value, how=how)


def _status(found: _Reading, line: Line, seconds: int, done: int) -> None:
    """Takes a status line, which has the operations since the beginning."""
    line.take()
    begin = found.intervals[-1].t_s + found.intervals[-1].seconds if found.intervals else 0.0
    if seconds > begin and done >= found.done:
        rate = (done - found.done) / (seconds - begin)
        found.intervals.append(PrintedInterval(t_s=begin, seconds=seconds - begin, tps=rate))
        found.done = done


def _sums(found: _Reading) -> list[PrintedFigure]:
    sums = []
    for name, parts in (("transactions", found.counts), ("errors", found.errors)):
        if parts:
            first = parts[0]
            total = sum(Decimal(one.text) for one in parts)
            how = " + ".join(one.text for one in parts)
            sums.append(
                PrintedFigure(
                    name=name,
                    unit="",
                    value=float(total),
                    text="",
                    file=first.file,
                    place=first.place,
                    how=how,
                )
            )
    return sums
