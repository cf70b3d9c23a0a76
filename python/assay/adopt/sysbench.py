"""Reads the text of sysbench 0.4, 0.5 and 1.0: tests of a server, and the fileio test."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from assay.adopt.adopted import UNKNOWN, Adopted, LoadPoint
from assay.adopt.lines import Line, Row, Unit, cut_short, lines_of
from assay.errors import InputError
from assay.folder import Printed, PrintedBin, PrintedFigure, PrintedInterval, PrintedSeries

TOOL = "sysbench"
VERSIONS = ("0.4", "0.5", "1.0", "1.1")
_BANNER = re.compile(r"sysbench (\d+\.\d+)(\S*?)(?::\s.*|\s\(using .*|\s*)")
_BODY = re.compile(r"\s*(SQL statistics|OLTP test statistics|General statistics|Test execution summary):")
_NUMBER = r"(\d+(?:\.\d+)?)"
_WHOLE = r"(\d+)"


def recognises(text: str) -> bool:
    """Returns whether a text is sysbench's: it has the banner, or the heads of its statistics."""
    lines = text.splitlines()
    return any(_BANNER.fullmatch(line.strip()) or _BODY.fullmatch(line) for line in lines)


def read(file: str, text: str) -> list[Adopted]:
    """Returns every run in a text, which may hold several one after the other.

    Raises InputError for an unknown version, a text that is cut short, and a line that cannot be read.
    """
    runs: list[list[Line]] = []
    for line in lines_of(file, text):
        if _BANNER.fullmatch(line.text.strip()):
            runs.append([])
        elif not runs and _BODY.fullmatch(line.text):
            raise line.wrong(
                "sysbench's first line before its statistics, which says the version",
                "give the whole output, from `sysbench 1.0.20 …` on",
            )
        if runs:
            runs[-1].append(line)
    return [_run(file, lines) for lines in runs]


# ---------------------------------------------------------------------------------------------- statistics


def _row(label: str, *units: Unit, value: str = _NUMBER) -> Row:
    return Row(re.compile(rf"{label}\s+{value}"), units)


def _per_s(label: str, count: Unit, rate: str) -> Row:
    return _row(label, count, (rate, "/s"), value=rf"{_WHOLE}\s+\({_NUMBER} per sec\.\)")


def _times(percentile: str, unit: str = "") -> tuple[Row, ...]:
    value = rf"{_NUMBER}{unit}"
    return (
        _row("min:", ("min_ms", "ms"), value=value),
        _row("avg:", ("mean_ms", "ms"), value=value),
        _row("max:", ("max_ms", "ms"), value=value),
        Row(re.compile(rf"{percentile}\s+{value}"), (("", ""), ("percentile_ms", "ms"))),
    )


_FAIRNESS = (
    _row(
        r"events \(avg/stddev\):",
        ("thread_events_mean", ""),
        ("thread_events_stdev", ""),
        value=rf"{_NUMBER}/{_NUMBER}",
    ),
    _row(
        r"execution time \(avg/stddev\):",
        ("thread_time_mean_s", "s"),
        ("thread_time_stdev_s", "s"),
        value=rf"{_NUMBER}/(\d+\.\d\d)",  # the last line: with a digit less it was cut short
    ),
)
_TOTALS = (
    _row("total time:", ("elapsed_s", "s"), value=rf"{_NUMBER}s"),
    _row("total number of events:", ("events", ""), value=_WHOLE),
    _row("total time taken by event execution:", ("latency_sum_s", "s"), value=rf"{_NUMBER}s?"),
)
_QUERIES = (
    _row("read:", ("reads", ""), value=_WHOLE),
    _row("write:", ("writes", ""), value=_WHOLE),
    _row("other:", ("other", ""), value=_WHOLE),
    _row("total:", ("queries", ""), value=_WHOLE),
    _per_s("transactions:", ("transactions", ""), "tps"),
    _per_s("queries:", ("", ""), "qps"),
    _per_s("read/write requests:", ("", ""), "read_write_requests_per_s"),
    _per_s("other operations:", ("", ""), "other_operations_per_s"),
    _per_s("deadlocks:", ("errors", ""), "errors_per_s"),
    _per_s("ignored errors:", ("errors", ""), "errors_per_s"),
    _per_s("reconnects:", ("reconnects", ""), "reconnects_per_s"),
)
_SIZES = r"(?:[KMGT]?i?[bB])"
SECTIONS: Mapping[str, tuple[Row, ...]] = {
    "SQL statistics:": _QUERIES,
    "OLTP test statistics:": _QUERIES,
    "File operations:": (
        _row("reads/s:", ("read_iops", "/s")),
        _row("writes/s:", ("write_iops", "/s")),
        _row("fsyncs/s:", ("syncs_per_s", "/s")),
    ),
    "Throughput:": (
        _row("read, MiB/s:", ("read_mib_per_s", "MiB/s")),
        _row("written, MiB/s:", ("write_mib_per_s", "MiB/s")),
        # 1.1, whatever the test:
        _row(r"events/s \(eps\):", ("events_per_s", "/s")),
        _row("time elapsed:", ("elapsed_s", "s"), value=rf"{_NUMBER}s"),
        _row("total number of events:", ("events", ""), value=_WHOLE),
    ),
    "General statistics:": _TOTALS,
    "Test execution summary:": _TOTALS,
    "response time:": _times(r"approx\.\s+(\d+) percentile:", "ms"),
    "per-request statistics:": _times(r"approx\.\s+(\d+) percentile:", "ms"),
    "Latency (ms):": (
        *_times(r"(\d+)th percentile:"),
        _row("sum:", ("latency_sum_ms", "ms")),
        Row(re.compile(r"percentile stats:\s+disabled"), ()),
    ),
    "Threads fairness:": _FAIRNESS,
}
"""The heads of the statistics, with the kinds of lines below each."""

_SILENT = re.compile(
    r"queries performed:|Number of unfinished transactions on forced shutdown: \d+"
    r"|\(last message repeated \d+ times\)|Time limit exceeded, exiting\.\.\.|Done\."
)
_OTHER_TESTS = re.compile(
    r"CPU speed:|Doing (?:CPU|memory|thread|mutex).*|Running memory speed test.*"
    r"|Maximum prime number checked in CPU test: .*|Total operations: .*"
    r"|Operations performed:.*"
)

# ------------------------------------------------------------------------------------------- interval lines

_AT = r"\[\s*(?P<end>\d+)s ?\] "
_INTERVALS = tuple(
    re.compile(_AT + pattern)
    for pattern in (
        r"thds: (?P<threads>\d+) tps: (?P<tps>[\d.]+) qps: (?P<qps>[\d.]+)"
        r" \(r/w/o: (?P<reads_per_s>[\d.]+)/(?P<writes_per_s>[\d.]+)/(?P<other_per_s>[\d.]+)\)"
        r" lat \(ms,\s*(?P<rank>\d+)%\): (?P<tail>[\d.]+)"
        r" err/s:? (?P<errors_per_s>[\d.]+) reconn/s: (?P<reconnects_per_s>[\d.]+)",
        r"threads: (?P<threads>\d+), tps: (?P<tps>[\d.]+), reads(?:/s)?: (?P<reads_per_s>[\d.]+),"
        r" writes(?:/s)?: (?P<writes_per_s>[\d.]+), response time: (?P<tail>[\d.]+)ms \((?P<rank>\d+)%\)"
        r"(?:, errors: (?P<errors_per_s>[\d.]+), reconnects:\s+(?P<reconnects_per_s>[\d.]+))?",
        r"reads: (?P<read_mib_per_s>[\d.]+) MiB/s writes: (?P<write_mib_per_s>[\d.]+) MiB/s"
        r" fsyncs: (?P<syncs_per_s>[\d.]+)/s latency \(ms,\s*(?P<rank>\d+)%\): (?P<tail>[\d.]+)",
    )
)
_QUEUE = re.compile(_AT + r"queue length: (?P<queue_length>\d+),? concurrency: (?P<concurrency>\d+)")
_EVENTS = re.compile(_AT + r"thds: \d+ eps: .*")  # of a test without a server
_BIN = re.compile(r"\s*(\d+\.\d+) \|\**\s*(\d+)\s*")
_HISTOGRAM = "Latency histogram (values are in milliseconds)"
_HEAD_OF_BINS = re.compile(r"\s*value\s+-+ distribution -+ count")
_OF_INTERVALS = ("tps", "qps", "read_mib_per_s", "write_mib_per_s")

# ------------------------------------------------------------------------------------------------ settings

_SETTINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"Number of threads: (\d+)", "threads"),
        (r"Target transaction rate: (\d+)/sec", "rate"),
        (r"Report intermediate results every (\d+) second\(s\)", "report_interval_s"),
        (r"Warmup time: (\d+)s", "warmup_s"),
        (r"Running (.*\S) OLTP test", "oltp_test_mode"),
        (r"Using (\S+) distribution.*", "distribution"),
        (r"Extra file open flags: (.*\S)", "file_extra_flags"),
        (r"(\d+) files, .* each", "file_num"),
        (r"(.*\S) total file size", "file_total_size"),
        (r"Block size (.*\S)", "file_block_size"),
        (r"Read/Write ratio for combined random IO test: ([\d.]+)", "file_rw_ratio"),
        (r"Periodic FSYNC enabled, calling fsync\(\) each (\d+) requests\.", "file_fsync_freq"),
        (r"Using (.*\S) I/O mode", "file_io_mode"),
        (r"Doing (.*\S) test", "file_test_mode"),
    )
)


@dataclass
class _Reading:
    """What has been read of one run so far."""

    version: str
    settings: dict[str, str] = field(default_factory=dict)
    figures: list[PrintedFigure] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)  # heads
    intervals: list[PrintedInterval] = field(default_factory=list)
    series: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    bins: list[PrintedBin] = field(default_factory=list)


def _run(file: str, lines: Sequence[Line]) -> Adopted:
    banner = _BANNER.fullmatch(lines[0].text.strip())
    assert banner is not None
    if banner[1] not in VERSIONS:
        raise lines[0].wrong(f"sysbench {', '.join(VERSIONS[:-1])} or {VERSIONS[-1]}")
    found = _Reading(banner[1] + banner[2])
    head, in_bins = "", False
    for line in lines[1:]:
        text = line.text.strip()
        if text in SECTIONS:
            head, in_bins = text, False
            found.seen.add(text)
        elif text == _HISTOGRAM:
            in_bins = True
        elif text.startswith("["):
            _interval(found, line)
        elif in_bins and text:
            _bin(found, line)
        elif _OTHER_TESTS.fullmatch(text):
            raise line.wrong("sysbench's test of a server, or its fileio test since 1.0")
        elif head and text and not _SILENT.fullmatch(text):
            _statistic(found, line, head)
        elif not head:
            _setting(found, text)
    return _adopted(file, lines, found)


def _statistic(found: _Reading, line: Line, head: str) -> None:
    for row in SECTIONS[head]:
        figures = row.read(line)
        if figures is not None:
            found.figures += _ranked(line, list(figures))
            return
    if head == "Threads fairness:":
        return  # the statistics are over: what a shell or a script printed after them
    raise line.wrong(f'a line of "{head}" as sysbench prints it')


def _ranked(line: Line, figures: list[PrintedFigure]) -> list[PrintedFigure]:
    """Returns the figures with the percentile by its name: `p95_ms`."""
    if not figures or figures[-1].name != "percentile_ms":
        return figures
    rank = re.search(r"(\d+)(?:th)? percentile", line.text)
    assert rank is not None
    return [line.figure(f"p{rank[1]}_ms", "ms", figures[-1].text)]


def _setting(found: _Reading, text: str) -> None:
    for pattern, name in _SETTINGS:
        if said := pattern.fullmatch(text):
            found.settings[name] = said[1]


def _bin(found: _Reading, line: Line) -> None:
    if _HEAD_OF_BINS.fullmatch(line.text):
        return
    said = _BIN.fullmatch(line.text)
    if said is None:
        raise line.wrong("a line of the histogram: milliseconds, |, stars, count")
    found.bins.append(PrintedBin(ms=float(said[1]), count=int(said[2])))


def _interval(found: _Reading, line: Line) -> None:
    text = line.text.strip()
    if re.fullmatch(_AT + r"Checkpoint report:", text):
        raise line.wrong(
            "interval reports only: a checkpoint report resets the statistics",
            "import a run without --report-checkpoints",
        )
    if queue := _QUEUE.fullmatch(text):
        for name in ("queue_length", "concurrency"):
            found.series.setdefault(name, []).append((float(queue["end"]), float(queue[name])))
        return
    if _EVENTS.fullmatch(text):
        return
    said = next((one for pattern in _INTERVALS if (one := pattern.fullmatch(text))), None)
    if said is None:
        raise line.wrong("an interval report, as in [ 10s ] thds: 8 tps: 98.50 qps: …")
    begin = found.intervals[-1].t_s + found.intervals[-1].seconds if found.intervals else 0.0
    end = float(said["end"])
    if end <= begin:
        raise line.wrong(f"an interval that ends after {begin:g} s")
    numbers = {name: float(text) for name, text in said.groupdict().items() if text is not None}
    known = {name: numbers[name] for name in _OF_INTERVALS if name in numbers}
    if (rank := said["rank"]) in ("50", "95", "99"):
        known[f"p{rank}_ms"] = numbers["tail"]
    found.intervals.append(PrintedInterval(t_s=begin, seconds=end - begin, **known))
    for name, value in numbers.items():
        if name not in ("end", "rank", "tail", *_OF_INTERVALS):
            found.series.setdefault(name, []).append((begin, value))


# -------------------------------------------------------------------------------------------- the whole run

_LATENCIES = ("Latency (ms):", "response time:", "per-request statistics:")


def _adopted(file: str, lines: Sequence[Line], found: _Reading) -> Adopted:
    servers = {"SQL statistics:", "OLTP test statistics:"} & found.seen
    if not servers and "File operations:" not in found.seen and "Threads fairness:" in found.seen:
        raise InputError(
            f"{file}:{lines[0].number}: expected a test of a server or of files, found statistics of another"
            " test of sysbench",
            hint="cpu, memory, threads and mutex measure no server and no storage",
        )
    if not servers and "File operations:" not in found.seen:
        raise cut_short(file, lines, "the statistics of a test of a server (SQL statistics) or of files")
    for heads in (("General statistics:", "Test execution summary:", "Throughput:"), _LATENCIES):
        if not found.seen.intersection(heads):
            raise cut_short(file, lines, f'"{heads[0]}"')
    if "Threads fairness:" not in found.seen:
        raise cut_short(file, lines, '"Threads fairness:"')
    wanted = ("tps" if servers else "read_iops", "elapsed_s", "mean_ms", "thread_time_stdev_s")
    known = {one.name: one for one in found.figures}
    for name in wanted:
        if name not in known:
            raise cut_short(file, lines, f"the line with {name}")
    if "threads" not in found.settings:
        raise InputError(f'{file}:{lines[0].number}: expected a line "Number of threads: N" after the banner')
    figures = [one for one in found.figures if one.name]
    figures += list(_derived(known))
    threads, rate = found.settings["threads"], found.settings.get("rate", "0")
    open_loop = rate != "0"
    return Adopted(
        tool=TOOL,
        version=found.version,
        kind="server" if servers else "storage",
        workload=TOOL if servers else f"{TOOL}-fileio",
        printed=Printed(
            figures=figures,
            intervals=found.intervals,
            series=[
                PrintedSeries(source=TOOL, name=name, t_s=[at for at, _ in of], value=[v for _, v in of])
                for name, of in found.series.items()
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
    if not found.intervals:
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
