"""Reads the text of tpcc-mysql's `tpcc_start`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import msgspec

from assay.base.errors import InputError
from assay.design.folder import Printed, PrintedFigure, PrintedInterval, PrintedSeries
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.lines import Line, Text, cut_short

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
_OLD_KIND = r"(\d+)\((\d+)\):([\d.]+)\|([\d.]+)"
_OLD_INTERVAL = re.compile(rf"\s*(?P<end>\d+), {', '.join([_OLD_KIND] * 5)}")
_RAW = re.compile(
    r"\s*\[(\d)\] sc:(\d+)\s+lt:(\d+)\s+rt:(\d+)\s+fl:(\d+)\s*(?:avg_rt: (-?nan|[\d.]+) \(\d+\))?\s*"
)
_SECONDS = re.compile(r"\s*in (\d+) sec\.")
_TPMC = re.compile(r"\s*([\d.]+) TpmC")
_SHARE = re.compile(
    r"\s*(New-Order|Payment|Order-Status|Delivery|Stock-Level): (-?nan|[\d.]+)%.*\[(OK|NG)\].*"
)
_RANK = re.compile(r"\s*(New-Order|Payment|Order-Status|Delivery|Stock-Level) : ([\d.]+)\s+\(([\d.]+)\)\s*")
_BIN = re.compile(r"\s*\d+\.\d+,\s+\d+\s*|\d\.(?:New-Order|Payment|Order-Status|Delivery|Stock-Level)")
_SILENT = re.compile(
    r"<.*>(?: \(all must be \[OK\]\))?|option \w with value '.*'|RAMP-UP TIME\.\(\d+ sec\.\)"
    r"|MEASURING START\.|STOPPING THREADS\.*|\[(?:server|port|DBname|user|pass)\]:.*"
)
"""Lines without a figure and without news."""
_PARTS = ("[transaction percentage]", "[response time (at least 90% passed)]")
_TITLES = dict(zip(("New-Order", "Payment", "Order-Status", "Delivery", "Stock-Level"), KINDS, strict=True))


def recognises(text: str) -> bool:
    """Returns whether a text is tpcc-mysql's."""
    return _BANNER in text or "<Raw Results>" in text


def read(text: Text) -> list[Adopted]:
    """Returns every run in a text. Raises InputError for a text that is cut short."""
    runs: list[list[Line]] = []
    for line in text.lines:
        if line.text.strip() == _BANNER:
            runs.append([])
        elif not runs and line.text.strip() == "<Raw Results>":
            raise line.wrong(
                f"the banner before the results: {_BANNER}", "give the whole output, from its first line on"
            )
        if runs:
            runs[-1].append(line)
    return text.each_run(runs, lambda lines: _run(text.file, lines))


@dataclass
class _Reading:
    settings: dict[str, str] = field(default_factory=dict)
    figures: list[PrintedFigure] = field(default_factory=list)
    intervals: list[PrintedInterval] = field(default_factory=list)
    series: dict[str, list[tuple[float, float]]] = field(default_factory=dict)


def _run(file: str, lines: Sequence[Line]) -> Adopted:
    found = _Reading()
    part, measuring = "", False
    lines[0].take()
    for line in lines:
        text = line.text.strip()
        if _SILENT.fullmatch(text) or text in _PARTS:
            line.take()
        if text == "MEASURING START.":
            measuring = True
        elif text.startswith("STOPPING THREADS"):
            measuring = False
        elif text == "<Raw Results>" and any(one.name.endswith(".in_time") for one in found.figures):
            raise line.wrong("the banner of tpcc_start before the results of a second run")
        elif text.startswith("<") or text in _PARTS:
            part = text
        elif measuring:
            _interval(found, line)
        elif text:
            _line(found, line, part)
    return _adopted(file, lines, found)


def _interval(found: _Reading, line: Line) -> None:
    """Takes the line of an interval, in the form of today or in the older one."""
    said, old = _INTERVAL.fullmatch(line.text.rstrip()), _OLD_INTERVAL.fullmatch(line.text.rstrip())
    if said is None and old is None:
        return
    line.take()
    begin = found.intervals[-1].t_s + found.intervals[-1].seconds if found.intervals else 0.0
    seconds = float((said or old)["end"]) - begin  # type: ignore[index]
    if seconds <= 0:
        raise line.wrong(f"an interval that ends after {begin:g} s")
    found.intervals.append(PrintedInterval(t_s=begin, seconds=seconds))
    if said is not None:
        others = [one.split("|") for one in said["others"].removeprefix(", ").split(", ")]
        rates = [said["trx"], *(count for count, _ in others)]
        longest = [said["max"], *(time for _, time in others)]
        for name in ("p95", "p99"):
            found.series.setdefault(f"new_order.{name}_ms", []).append((begin, float(said[name])))
    elif old is not None:
        # done(late):90th percentile|longest, of each kind, the times in seconds
        numbers = old.groups()[1:]
        rates = list(numbers[0::4])
        longest = [f"{1000 * float(time):g}" for time in numbers[3::4]]
        for kind, time in zip(KINDS, numbers[2::4], strict=True):
            found.series.setdefault(f"{kind}.p90_ms", []).append((begin, 1000 * float(time)))
    for kind, count, time in zip(KINDS, rates, longest, strict=True):
        found.series.setdefault(f"{kind}.tps", []).append((begin, int(count) / seconds))
        found.series.setdefault(f"{kind}.max_ms", []).append((begin, float(time)))


def _line(found: _Reading, line: Line, part: str) -> None:
    text = line.text.rstrip()
    for pattern, name in _SETTINGS.items():
        if said := pattern.fullmatch(text.strip()):
            line.take()
            found.settings[name] = said[1]
            return
    if part == "<Raw Results>":
        _raw(found, line)
    elif part.startswith("<Raw Results2"):
        if _RAW.fullmatch(text):
            line.take()  # the same numbers again
    elif part in _PARTS and (said := _SHARE.fullmatch(text)):
        line.take()
        what = "share" if part == _PARTS[0] else "in_time"
        if "nan" not in said[2]:
            found.figures.append(line.figure(f"{_TITLES[said[1]]}.{what}_pct", "%", said[2]))
    elif part == "<TpmC>" and (said := _TPMC.fullmatch(text)):
        found.figures.append(line.figure("tpmc", "/min", said[1]))
    elif part.startswith("<90th Percentile") and (said := _RANK.fullmatch(text)):
        kind = _TITLES[said[1]]
        found.figures += [
            _in_ms(line, f"{kind}.p90_ms", said[2]),
            _in_ms(line, f"{kind}.max_ms", said[3]),
        ]
    elif part == "<RT Histogram>" and _BIN.fullmatch(text):
        line.take()  # of times in steps of a kind, without a place in the store


def _in_ms(line: Line, name: str, text: str) -> PrintedFigure:
    """Returns a printed time in seconds as ms."""
    return msgspec.structs.replace(
        line.figure(name, "ms", text), value=float(Decimal(text) * 1000), how="s * 1000"
    )


def _raw(found: _Reading, line: Line) -> None:
    if said := _SECONDS.fullmatch(line.text.rstrip()):
        found.figures.append(line.figure("elapsed_s", "s", said[1]))
        return
    said = _RAW.fullmatch(line.text.rstrip())
    if said is None or int(said[1]) >= len(KINDS):
        return
    kind = KINDS[int(said[1])]
    for name, text in zip(("in_time", "late", "retries", "failed"), said.groups()[1:5], strict=True):
        found.figures.append(line.figure(f"{kind}.{name}", "", text))
    if said[6] is not None and "nan" not in said[6]:
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
