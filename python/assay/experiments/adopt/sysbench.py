"""Reads the text of sysbench 0.4, 0.5 and 1.0: tests of a server, and the fileio test."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from assay.base.errors import InputError
from assay.design.folder import Printed, PrintedBin, PrintedFigure, PrintedSeries
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.lines import Line, Text, cut_short
from assay.experiments.adopt.sysbench_forms import (
    BANNER,
    BODY,
    FILES,
    LAST,
    LATENCIES,
    OTHER_TESTS,
    SECTIONS,
    SERVERS,
    SETTINGS,
    SILENT,
    TOTALS,
)
from assay.experiments.adopt.sysbench_intervals import Intervals

TOOL = "sysbench"
VERSIONS = ("0.4", "0.5", "1.0", "1.1")
_BIN = re.compile(r"\s*(\d+\.\d+) \|\**\s*(\d+)\s*")
_HISTOGRAM = "Latency histogram (values are in milliseconds)"
_HEAD_OF_BINS = re.compile(r"\s*value\s+-+ distribution -+ count")


def recognises(text: str) -> bool:
    """Returns whether a text is sysbench's: it has the banner, or the heads of its statistics."""
    if "sysbench" not in text and "statistics:" not in text and "execution summary:" not in text:
        return False
    lines = text.splitlines()
    return any(BANNER.fullmatch(line.strip()) or BODY.fullmatch(line) for line in lines)


def read(text: Text) -> list[Adopted]:
    """Returns every run in a text, which may hold several one after the other.

    Raises InputError for an unknown version, a text that is cut short, and statistics without their first
    line.
    """
    runs: list[list[Line]] = []
    for line in text.lines:
        if BANNER.fullmatch(line.text.strip()):
            runs.append([])
        elif not runs and BODY.fullmatch(line.text):
            raise line.wrong(
                "sysbench's first line before its statistics, which says the version",
                "give the whole output, from `sysbench 1.0.20 …` on",
            )
        if runs:
            runs[-1].append(line)
    return text.each_run(runs, lambda lines: _run(text.file, lines))


@dataclass
class _Reading:
    """What has been read of one run so far."""

    version: str
    settings: dict[str, str] = field(default_factory=dict)
    figures: list[PrintedFigure] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)  # heads
    intervals: Intervals = field(default_factory=Intervals)
    bins: list[PrintedBin] = field(default_factory=list)


def _run(file: str, lines: Sequence[Line]) -> Adopted:
    banner = BANNER.fullmatch(lines[0].text.strip())
    assert banner is not None
    if banner[1] not in VERSIONS:
        raise lines[0].wrong(f"sysbench {', '.join(VERSIONS[:-1])} or {VERSIONS[-1]}")
    lines[0].take()
    found = _Reading(banner[1] + banner[2])
    head, in_bins = "", False
    for line in lines[1:]:
        text = line.text.strip()
        if text in SECTIONS:
            if text in found.seen:
                raise line.wrong(f"one result after each first line of sysbench, and {text!r} once in it")
            head, in_bins = text, False
            line.take()
            found.seen.add(text)
        elif text == _HISTOGRAM:
            line.take()
            in_bins = True
        elif OTHER_TESTS.fullmatch(text):
            raise line.wrong("sysbench's test of a server, or its fileio test since 1.0")
        elif SILENT.fullmatch(text):
            line.take()
        elif not (_bin(found, line) if in_bins else _statistic(found, line, head)) and text:
            _setting(found, line)
            found.intervals.read(line)
    return _adopted(file, lines, found)


def _statistic(found: _Reading, line: Line, head: str) -> bool:
    """Takes a statistic below its head."""
    for row in SECTIONS.get(head, ()):
        figures = row.read(line)
        if figures is not None:
            found.figures += _ranked(line, list(figures))
            return True
    return False


def _ranked(line: Line, figures: list[PrintedFigure]) -> list[PrintedFigure]:
    """Returns the figures with the percentile by its name: `p95_ms`."""
    if not figures or figures[-1].name != "percentile_ms":
        return figures
    rank = re.search(r"(\d+)(?:th)? percentile", line.text)
    assert rank is not None
    return [line.figure(f"p{rank[1]}_ms", "ms", figures[-1].text)]


def _setting(found: _Reading, line: Line) -> None:
    if found.seen:
        return  # settings stand before the statistics
    for pattern, name in SETTINGS:
        if said := pattern.fullmatch(line.text.strip()):
            line.take()
            found.settings[name] = said[1]


def _bin(found: _Reading, line: Line) -> bool:
    if _HEAD_OF_BINS.fullmatch(line.text):
        line.take()
        return True
    said = _BIN.fullmatch(line.text)
    if said is not None:
        line.take()
        found.bins.append(PrintedBin(ms=float(said[1]), count=int(said[2])))
    return said is not None


def _adopted(file: str, lines: Sequence[Line], found: _Reading) -> Adopted:
    servers = SERVERS & found.seen
    if not servers and FILES not in found.seen and LAST in found.seen:
        raise InputError(
            f"{file}:{lines[0].number}: expected a test of a server or of files, found statistics of another"
            " test of sysbench",
            hint="cpu, memory, threads and mutex measure no server and no storage",
        )
    if not servers and FILES not in found.seen:
        raise cut_short(file, lines, "the statistics of a test of a server (SQL statistics) or of files")
    for heads in (TOTALS, LATENCIES):
        if not found.seen.intersection(heads):
            raise cut_short(file, lines, f'"{heads[0]}"')
    if LAST not in found.seen:
        raise cut_short(file, lines, f'"{LAST}"')
    wanted = ("tps" if servers else "read_iops", "elapsed_s", "mean_ms", "thread_time_stdev_s")
    known = {one.name: one for one in found.figures}
    for name in wanted:
        if name not in known:
            raise cut_short(file, lines, f"the line with {name}")
    if "threads" not in found.settings:
        raise InputError(f'{file}:{lines[0].number}: expected a line "Number of threads: N" after the banner')
    figures = [one for one in found.figures if one.name]
    figures += list(_derived(known))
    rank = next((name[1:-3] for name in known if re.fullmatch(r"p\d+_ms", name)), "")
    intervals = found.intervals.with_rank(rank)
    threads, rate = found.settings["threads"], found.settings.get("rate", "0")
    open_loop = rate != "0"
    return Adopted(
        tool=TOOL,
        version=found.version,
        kind="server" if servers else "storage",
        workload=TOOL if servers else f"{TOOL}-fileio",
        printed=Printed(
            figures=figures,
            intervals=intervals,
            series=[
                PrintedSeries(source=TOOL, name=name, t_s=[at for at, _ in of], value=[v for _, v in of])
                for name, of in found.intervals.series.items()
            ],
            bins=found.bins,
        ),
        load=LoadPoint("rate", float(rate)) if open_loop else LoadPoint("threads", float(threads)),
        settings=found.settings,
        unknown=_unknown(found, is_server=bool(servers)),
    )


def _unknown(found: _Reading, *, is_server: bool) -> tuple[str, ...]:
    unknown = [one for one in UNKNOWN if is_server or one not in ("server", "variables", "dataset")]
    if is_server:
        unknown.append("workload")
    if not found.bins:
        unknown.append("histogram")
    if not found.intervals.found:
        unknown.append("seconds")
    return tuple(unknown)


def _sum(name: str, unit: str, parts: Sequence[PrintedFigure]) -> PrintedFigure:
    """Returns the sum of printed figures, with every digit of them."""
    total = sum((Decimal(one.text) for one in parts), Decimal(0))
    how = " + ".join(one.text for one in parts)
    return PrintedFigure(
        name=name, unit=unit, value=float(total), text="", file=parts[0].file, place=parts[0].place, how=how
    )


def _derived(known: Mapping[str, PrintedFigure]) -> Iterator[PrintedFigure]:
    """Yields what the store's measures need and sysbench prints in parts only."""
    rules: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        ("iops", "/s", ("read_iops", "write_iops")),
        ("mib_per_s", "MiB/s", ("read_mib_per_s", "write_mib_per_s")),
    )
    for name, unit, parts in rules:
        if all(part in known for part in parts):
            yield _sum(name, unit, [known[part] for part in parts])
    if "qps" not in known and {"queries", "elapsed_s"} <= known.keys():  # before 1.0
        queries, seconds = known["queries"], known["elapsed_s"]
        if seconds.value > 0:
            yield PrintedFigure(
                name="qps",
                unit="/s",
                value=queries.value / seconds.value,
                text="",
                file=queries.file,
                place=queries.place,
                how=f"{queries.text} / {seconds.text} s",
            )
