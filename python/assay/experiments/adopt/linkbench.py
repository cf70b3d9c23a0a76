"""Reads what LinkBench's driver prints, and its two CSV files."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from assay.design.folder import Printed, PrintedFigure, PrintedInterval, PrintedSeries
from assay.experiments.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.experiments.adopt.lines import Line, Text, cut_short

TOOL = "LinkBench"
_UNKNOWN = (*UNKNOWN, "workload", "histogram", "version")
_N = r"(\d+(?:\.\d+)?)"
_PROGRESS = re.compile(
    rf".*?(\d+)/\d+ requests finished: {_N}% complete at {_N} ops/sec {_N}/\d+ secs elapsed.*"
)
_OPERATION = re.compile(
    r".*?(?P<op>[A-Z]+(?:_[A-Z]+)+) count = (?P<count>\d+)\s+(?P<ranks>(?:p\d+ = \[[\d.]+,[\d.]+\]ms\s+)+)"
    rf"max = {_N}ms\s+mean = {_N}ms\s*"
)
_RANK = re.compile(r"p(\d+) = \[([\d.]+),([\d.]+)\]ms")
_CALL = re.compile(r"Config file: \S+")
_NEXT = re.compile(r"requests finished:| count = .* mean = ")
_PHASE = re.compile(r"\b(REQUEST|LOAD) PHASE COMPLETED\.")
_CONFIG = re.compile(
    r".*(?:Config file: \S+|Using configured random seed .*|Starting (?:loaders|requesters)\b.*)"
)
_REQUESTS = re.compile(
    rf".*REQUEST PHASE COMPLETED\. (\d+) requests done in {_N} seconds\.\s*Requests/second = {_N}\s*"
)
_LOADED = re.compile(
    r".*LOAD PHASE COMPLETED\.\s+Loaded (\d+) nodes \(Expected \d+\)\. Loaded (\d+) links"
    rf" \({_N} links per node\)\.\s+Took {_N} seconds\.\s+Links/second = {_N}\s*"
)
_STATS = ("op", "count", "p25_low", "p25_high", "p50_low", "p50_high", "p75_low", "p75_high", "p95_low")
_STREAM = ("threadID", "timestamp", "op", "totalops", "totalerrors", "ops", "sampleDuration_us", "sampleOps")


def recognises(text: str) -> bool:
    """Returns whether a text is LinkBench's: its phases, its operations, or the head of one of its CSV
    files.
    """
    return bool(
        re.search(r"(REQUEST|LOAD) PHASE COMPLETED\.|requests finished: [\d.]+% complete", text)
        or _head(text)
    )


def read(text: Text) -> list[Adopted]:
    """Returns the runs in a text or a CSV file. Raises InputError for one that is cut short."""
    kind = _head(text.whole)
    of = {"stats": _of_stats, "stream": _of_stream}.get(kind, _of_text)
    return text.each_run(_csv_runs(text) if kind else _text_runs(text), lambda lines: of(text.file, lines))


def _csv_runs(text: Text) -> list[list[Line]]:
    """Returns the rows below each head; several files may stand one after another."""
    runs: list[list[Line]] = []
    for line in text.lines:
        if _head(line.text):
            runs.append([])
        if runs:
            runs[-1].append(line)
    return runs


def _text_runs(text: Text) -> list[list[Line]]:
    """Returns the lines of each run: requests, with the load before them where one call made both."""
    runs: list[list[Line]] = []
    phases: list[str] = []
    for line in text.lines:
        if (
            not runs
            or _CALL.search(line.text)
            or (phases and phases[-1] == "REQUEST" and _NEXT.search(line.text))
        ):
            runs.append([])
            phases = []
        if said := _PHASE.search(line.text):
            if said[1] in phases:
                runs.append([])
            phases = [*phases, said[1]]
        runs[-1].append(line)
    return [run for run in runs if any(_PHASE.search(one.text) or _NEXT.search(one.text) for one in run)]


def _head(text: str) -> str:
    """Returns the kind of a CSV file by the first head in it; an empty text for a text that is none."""
    if _STATS[0] + "," not in text and _STREAM[0] not in text:
        return ""
    for line in text.splitlines():
        columns = tuple(line.strip().split(","))
        if columns[: len(_STATS)] == _STATS:
            return "stats"
        if columns[: len(_STREAM)] == _STREAM:
            return "stream"
    return ""


def _adopted(
    workload: str,
    figures: Sequence[PrintedFigure],
    intervals: Sequence[PrintedInterval] = (),
    series: Sequence[PrintedSeries] = (),
    load: LoadPoint | None = None,
) -> Adopted:
    return Adopted(
        tool=TOOL,
        version="",
        kind="server",
        workload=workload,
        printed=Printed(figures=list(figures), intervals=list(intervals), series=list(series)),
        load=load,
        unknown=_UNKNOWN if intervals or series else (*_UNKNOWN, "seconds"),
    )


# ------------------------------------------------------------------------------------------------------ text


def _of_text(file: str, lines: Sequence[Line]) -> Adopted:
    figures: list[PrintedFigure] = []
    intervals: list[PrintedInterval] = []
    done, ended = 0, False
    for line in lines:
        text = line.text
        if "requests finished:" in text:
            done = _progress(line, intervals, done)
        elif " count = " in text and " mean = " in text:
            figures += _operation(line)
        elif "REQUEST PHASE COMPLETED" in text:
            figures += _named(line, _REQUESTS, (("transactions", ""), ("elapsed_s", "s"), ("tps", "/s")))
            ended = True
        elif "LOAD PHASE COMPLETED" in text:
            names = (
                ("loaded_nodes", ""),
                ("loaded_links", ""),
                ("links_per_node", ""),
                ("load_s", "s"),
                ("loaded_links_per_s", "/s"),
            )
            figures += _named(line, _LOADED, names)
            ended = True
        elif _CONFIG.fullmatch(text):
            line.take()
    if not ended:
        raise cut_short(file, lines, '"REQUEST PHASE COMPLETED" or "LOAD PHASE COMPLETED"')
    return _adopted("linkbench", figures, intervals)


def _named(line: Line, pattern: re.Pattern[str], names: Sequence[tuple[str, str]]) -> Iterator[PrintedFigure]:
    said = pattern.fullmatch(line.text)
    if said is None:
        raise line.wrong("the figures of the phase, as LinkBench prints them")
    for (name, unit), text in zip(names, said.groups(), strict=True):
        yield line.figure(name, unit, text)


def _progress(line: Line, intervals: list[PrintedInterval], before: int) -> int:
    """Adds the stretch since the last line of progress; returns the requests done by now."""
    said = _PROGRESS.fullmatch(line.text)
    if said is None:
        return before
    line.take()
    begin = intervals[-1].t_s + intervals[-1].seconds if intervals else 0.0
    done, seconds = int(said[1]), float(said[4]) - begin
    if seconds < 0 or done < before:
        raise line.wrong(f"progress beyond {before} requests and {begin:g} s")
    if seconds > 0:
        intervals.append(PrintedInterval(t_s=begin, seconds=seconds, tps=(done - before) / seconds))
    return done


def _operation(line: Line) -> Iterator[PrintedFigure]:
    said = _OPERATION.fullmatch(line.text)
    if said is None:
        return
    name = said["op"].lower()
    yield line.figure(f"{name}.count", "", said["count"])
    for rank, low, high in _RANK.findall(said["ranks"]):
        yield line.figure(f"{name}.p{rank}_low_ms", "ms", low)
        yield line.figure(f"{name}.p{rank}_high_ms", "ms", high)
    yield line.figure(f"{name}.max_ms", "ms", said[4])
    yield line.figure(f"{name}.mean_ms", "ms", said[5])


# ------------------------------------------------------------------------------------------------- CSV files


def _rows(lines: Sequence[Line]) -> Iterator[tuple[Line, dict[str, str]]]:
    head: list[str] | None = None
    for line in lines:
        if not line.text.strip():
            continue
        (fields,) = csv.reader([line.text])
        if head is None:
            line.take()
            head = fields
        elif len(fields) == len(head):
            line.take()
            yield line, dict(zip(head, fields, strict=True))


def _number(line: Line, row: Mapping[str, str], column: str) -> str:
    try:
        Decimal(row[column])
    except (InvalidOperation, KeyError):
        raise line.wrong(f"a number in the column {column}") from None
    return row[column]


def _of_stats(file: str, lines: Sequence[Line]) -> Adopted:
    figures = []
    for line, row in _rows(lines):
        name = row["op"].lower()
        for column in row:
            if column == "op":
                continue
            unit = "" if column == "count" else "ms"
            measure = f"{name}.{column}{'_ms' if unit else ''}"
            figures.append(line.figure(measure, unit, _number(line, row, column)))
    if not figures:
        raise cut_short(file, lines, "the first operation")
    return _adopted("linkbench-csvstats", figures)


def _of_stream(file: str, lines: Sequence[Line]) -> Adopted:
    """Returns the operations of all threads: their totals, and their rates by time."""
    rates: dict[str, dict[float, Decimal]] = {}
    totals: dict[tuple[str, str], tuple[Line, str, str]] = {}
    first: float | None = None
    for line, row in _rows(lines):
        at = float(_number(line, row, "timestamp"))
        first = at if first is None else first
        name, milliseconds = row["op"].lower(), Decimal(_number(line, row, "sampleDuration_us"))
        operations = Decimal(_number(line, row, "sampleOps"))
        totals[name, row["threadID"]] = (
            line,
            _number(line, row, "totalops"),
            _number(line, row, "totalerrors"),
        )
        if milliseconds > 0:
            of = rates.setdefault(name, {})
            of[at - first] = of.get(at - first, Decimal(0)) + 1000 * operations / milliseconds
    if not totals:
        raise cut_short(file, lines, "the first row")
    threads = {thread for _, thread in totals}
    series = [
        PrintedSeries(
            source=TOOL, name=f"{name}.tps", t_s=sorted(of), value=[float(of[at]) for at in sorted(of)]
        )
        for name, of in rates.items()
    ]
    load = LoadPoint("threads", float(len(threads))) if len(threads) > 1 else None
    return _adopted("linkbench-csvstream", list(_totals(totals)), series=series, load=load)


def _totals(totals: Mapping[tuple[str, str], tuple[Line, str, str]]) -> Iterator[PrintedFigure]:
    for name in dict.fromkeys(name for name, _ in totals):
        rows = [row for (of, _), row in totals.items() if of == name]
        for measure, column, texts in (
            ("count", "totalops", [row[1] for row in rows]),
            ("errors", "totalerrors", [row[2] for row in rows]),
        ):
            yield PrintedFigure(
                name=f"{name}.{measure}",
                unit="",
                value=float(sum(Decimal(text) for text in texts)),
                text=texts[0] if len(texts) == 1 else "",
                file=rows[-1][0].file,
                place=f"line {rows[-1][0].number}",
                how="" if len(texts) == 1 else f"sum of the last {column} of {len(texts)} threads",
            )
