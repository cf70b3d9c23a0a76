"""Reads the text of tpcc-mysql's `tpcc_start`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from assay.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.adopt.lines import Line, cut_short, lines_of
from assay.errors import InputError
from assay.folder import Printed, PrintedFigure, PrintedInterval, PrintedSeries

TOOL = "tpcc-mysql"
_BANNER = "*** ###easy### TPC-C Load Generator ***"
KINDS = ("new_order", "payment", "order_status", "delivery", "stock_level")
_SETTINGS = {
    re.compile(rf"\[{key}\]: (\d+)(?: \(sec\.\))?"): name
    for key, name in (
        ("warehouse", "warehouses"),
        ("connection", "connections"),
        ("rampup", "rampup_s"),
        ("measure", "measure_s"),
    )
}
_INTERVAL = re.compile(
    r"\s*(?P<end>\d+), trx: (?P<trx>\d+), 95%?: (?P<p95>[\d.]+), 99%?: (?P<p99>[\d.]+),"
    r" max_rt: (?P<max>[\d.]+)(?P<others>(?:, \d+\|[\d.]+){4})"
)
_RAW = re.compile(r"\s*\[(\d)\] sc:(\d+)\s+lt:(\d+)\s+rt:(\d+)\s+fl:(\d+)(?: avg_rt: ([\d.]+) \(\d+\))?")
_SECONDS = re.compile(r"\s*in (\d+) sec\.")
_TPMC = re.compile(r"\s*([\d.]+) TpmC")
_SHARE = re.compile(r"\s*(New-Order|Payment|Order-Status|Delivery|Stock-Level): ([\d.]+)%.*\[(OK|NG)\].*")
_PARTS = ("[transaction percentage]", "[response time (at least 90% passed)]")
_TITLES = dict(zip(("New-Order", "Payment", "Order-Status", "Delivery", "Stock-Level"), KINDS, strict=True))


def recognises(text: str) -> bool:
    """Returns whether a text is tpcc-mysql's."""
    return _BANNER in text or "<Raw Results>" in text


def read(file: str, text: str) -> list[Adopted]:
    """Returns every run in a text. Raises InputError for a text that is cut short, and a line that cannot be
    read.
    """
    runs: list[list[Line]] = []
    for line in lines_of(file, text):
        if line.text.strip() == _BANNER:
            runs.append([])
        elif not runs and line.text.strip() == "<Raw Results>":
            raise line.wrong(
                f"the banner before the results: {_BANNER}", "give the whole output, from its first line on"
            )
        if runs:
            runs[-1].append(line)
    return [_run(file, lines) for lines in runs]


@dataclass
class _Reading:
    settings: dict[str, str] = field(default_factory=dict)
    figures: list[PrintedFigure] = field(default_factory=list)
    intervals: list[PrintedInterval] = field(default_factory=list)
    series: dict[str, list[tuple[float, float]]] = field(default_factory=dict)


def _run(file: str, lines: Sequence[Line]) -> Adopted:
    found = _Reading()
    part, measuring = "", False
    for line in lines:
        text = line.text.strip()
        if text == "MEASURING START.":
            measuring = True
        elif text.startswith("STOPPING THREADS"):
            measuring = False
        elif text.startswith("<") or text in _PARTS:
            part = text
        elif not text:
            continue
        elif measuring and (text[0].isdigit() or "trx:" in text):
            _interval(found, line)
        else:
            _line(found, line, part)
    return _adopted(file, lines, found)


def _interval(found: _Reading, line: Line) -> None:
    said = _INTERVAL.fullmatch(line.text.rstrip())
    if said is None:
        raise line.wrong("an interval, as in   10, trx: 120, 95%: 12.345, 99%: 23.456, max_rt: 34.567, …")
    begin = found.intervals[-1].t_s + found.intervals[-1].seconds if found.intervals else 0.0
    seconds = float(said["end"]) - begin
    if seconds <= 0:
        raise line.wrong(f"an interval that ends after {begin:g} s")
    found.intervals.append(PrintedInterval(t_s=begin, seconds=seconds))
    others = [one.split("|") for one in said["others"].removeprefix(", ").split(", ")]
    rates = [said["trx"], *(count for count, _ in others)]
    longest = [said["max"], *(time for _, time in others)]
    for kind, count, time in zip(KINDS, rates, longest, strict=True):
        found.series.setdefault(f"{kind}.tps", []).append((begin, int(count) / seconds))
        found.series.setdefault(f"{kind}.max_ms", []).append((begin, float(time)))
    for name in ("p95", "p99"):
        found.series.setdefault(f"new_order.{name}_ms", []).append((begin, float(said[name])))


def _line(found: _Reading, line: Line, part: str) -> None:
    for pattern, name in _SETTINGS.items():
        if said := pattern.fullmatch(line.text.strip()):
            found.settings[name] = said[1]
            return
    if part == "<Raw Results>":
        _raw(found, line)
    elif part == "[transaction percentage]" and (said := _SHARE.fullmatch(line.text)):
        found.figures.append(line.figure(f"{_TITLES[said[1]]}.share_pct", "%", said[2]))
    elif part.startswith("[response time") and (said := _SHARE.fullmatch(line.text)):
        found.figures.append(line.figure(f"{_TITLES[said[1]]}.in_time_pct", "%", said[2]))
    elif part == "<TpmC>":
        said = _TPMC.fullmatch(line.text.rstrip())
        if said is None:
            raise line.wrong("the result, as in 8939.640 TpmC")
        found.figures.append(line.figure("tpmc", "/min", said[1]))
    elif part in _PARTS:
        raise line.wrong("a line of the constraint check")


def _raw(found: _Reading, line: Line) -> None:
    if said := _SECONDS.fullmatch(line.text.rstrip()):
        found.figures.append(line.figure("elapsed_s", "s", said[1]))
        return
    said = _RAW.fullmatch(line.text.rstrip())
    if said is None or int(said[1]) >= len(KINDS):
        raise line.wrong("raw results, as in [0] sc:5 lt:0  rt:0  fl:0 avg_rt: 12.3 (5)")
    kind = KINDS[int(said[1])]
    for name, text in zip(("in_time", "late", "retries", "failed"), said.groups()[1:5], strict=True):
        found.figures.append(line.figure(f"{kind}.{name}", "", text))
    if said[6] is not None:
        found.figures.append(line.figure(f"{kind}.mean_ms", "ms", said[6]))


def _adopted(file: str, lines: Sequence[Line], found: _Reading) -> Adopted:
    known = {one.name: one for one in found.figures}
    if "tpmc" not in known:
        raise cut_short(file, lines, '"<TpmC>" and the figure below it')
    for kind in KINDS:
        if f"{kind}.in_time" not in known:
            raise cut_short(file, lines, f"the raw results of {kind}")
    if "connections" not in found.settings:
        raise InputError(f'{file}:{lines[0].number}: expected a line "[connection]: N" after the banner')
    return Adopted(
        tool=TOOL,
        version="",
        kind="server",
        workload=TOOL,
        printed=Printed(
            figures=[*found.figures, *_derived(known)],
            intervals=found.intervals,
            series=[
                PrintedSeries(source=TOOL, name=name, t_s=[at for at, _ in of], value=[v for _, v in of])
                for name, of in found.series.items()
            ],
        ),
        load=LoadPoint("threads", float(found.settings["connections"])),
        settings=found.settings,
        unknown=(*UNKNOWN, "histogram", *(() if found.intervals else ("seconds",)), "version"),
    )


def _derived(known: dict[str, PrintedFigure]) -> Iterator[PrintedFigure]:
    """Yields the transactions of all kinds, and their rate, which the tool prints of New-Order alone."""
    parts = [known[f"{kind}.{name}"] for kind in KINDS for name in ("in_time", "late")]
    total = sum(int(one.text) for one in parts)
    at = {"file": parts[0].file, "place": parts[0].place, "text": ""}
    how = "sc + lt of all kinds"
    yield PrintedFigure(name="transactions", unit="", value=float(total), how=how, **at)
    if "elapsed_s" in known and known["elapsed_s"].value > 0:
        seconds = Decimal(known["elapsed_s"].text)
        rate = float(Decimal(total) / seconds)
        yield PrintedFigure(name="tps", unit="/s", value=rate, how=f"({how}) / {seconds} s", **at)
