"""sysbench's text, held against the formats of its own and against outputs that it has printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.base.tally import Histogram, decode
from assay.front.compat.sysbench.text import (
    STARTED,
    STARTING,
    Heading,
    IntervalFigures,
    LatencyFigures,
    SqlCounts,
    ThreadFigures,
    banner,
    checkpoint_line,
    fairness_text,
    general_statistics,
    heading,
    histogram_text,
    interval_line,
    latency_text,
    queue_line,
    size_text,
    sql_statistics,
    unfinished_line,
    warming_up,
)
from hdrh.histogram import HdrHistogram

PRINTED = Path(__file__).parents[1] / "adopt" / "outputs"


def printed(name: str) -> str:
    return (PRINTED / f"sysbench-{name}.txt").read_text(encoding="utf-8")


def part(text: str, start: str, end: str) -> str:
    """The text from the line that begins with `start` up to the one that begins with `end`."""
    begin = text.index(start)
    return text[begin : text.index(end, begin)] if end else text[begin:]


def test_the_first_lines_are_those_of_a_printed_run() -> None:
    text = printed("point-select-rate")
    run = Heading(threads=2, rate=200, report_interval_s=1)
    assert heading(run) + STARTING + STARTED == part(text, "Running the test", "[ 1s ]")
    assert re.fullmatch(r"sysbench 1\.0\.20 \(using assay \S+\)\n\n", banner())
    assert banner("LuaJIT 2.1").endswith(", LuaJIT 2.1)\n\n")


def test_every_setting_has_its_line() -> None:
    run = Heading(threads=4, warmup_s=5, rate=100, report_interval_s=1, checkpoints_s=(1, 2), seed=42)
    assert heading(run) == (
        "Running the test with following options:\n"
        "Number of threads: 4\n"
        "Warmup time: 5s\n"
        "Target transaction rate: 100/sec\n"
        "Report intermediate results every 1 second(s)\n"
        "Report checkpoint(s) at 1, 2 seconds\n"
        "Initializing random number generator from seed (42).\n\n\n"
    )
    assert warming_up(5) == "Warming up for 5 seconds...\n\n"


def test_interval_lines() -> None:
    figures = IntervalFigures(at_s=1.0, seconds=1.0, threads=4, events=98, latency_ms=12.3)
    assert interval_line(figures, 95, sql=False) == "[ 1s ] thds: 4 eps: 98.00 lat (ms,95%): 12.30\n"
    sql = IntervalFigures(
        at_s=2.0004,
        seconds=2,
        threads=4,
        events=197,
        latency_ms=12.3,
        reads=2760,
        writes=788,
        other=395,
        errors=1,
        reconnects=3,
    )
    assert interval_line(sql, 99, sql=True) == (
        "[ 2s ] thds: 4 tps: 98.50 qps: 1971.50 (r/w/o: 1380.00/394.00/197.50) lat (ms,99%): 12.30"
        " err/s: 0.50 reconn/s: 1.50\n"
    )
    assert queue_line(1, queued=7, running=2, sql=True) == "[ 1s ] queue length: 7, concurrency: 2\n"
    assert queue_line(1, queued=7, running=2, sql=False) == "[ 1s ] queue length: 7 concurrency: 2\n"
    assert checkpoint_line(12.0) == "[ 12s ] Checkpoint report:\n"
    nothing = IntervalFigures(at_s=0.5, seconds=0.0, threads=1, events=0)
    assert interval_line(nothing, 95, sql=False) == "[ 0.5s ] thds: 1 eps: 0.00 lat (ms,95%): 0.00\n"


@pytest.mark.parametrize("line", [2, 4])
def test_an_interval_line_of_a_printed_run(line: int) -> None:
    theirs = next(
        one for one in printed("oltp-read-write").splitlines(True) if one.startswith(f"[ {line}s ]")
    )
    tps, qps, reads, writes, other, latency, errors, _ = re.findall(r"\d+\.\d\d", theirs)
    seconds = 1000.0
    figures = IntervalFigures(
        at_s=line,
        seconds=seconds,
        threads=4,
        events=round(float(tps) * seconds),
        latency_ms=float(latency),
        reads=round(float(reads) * seconds),
        writes=round(float(writes) * seconds),
        other=round(float(other) * seconds),
        errors=round(float(errors) * seconds),
    )
    ours = interval_line(figures, 95, sql=True)
    # Its rates are rounded one by one: their sum may differ in the last digit.
    assert abs(float(re.findall(r"qps: (\S+)", ours)[0]) - float(qps)) < 0.02
    assert re.sub(r"qps: \S+", "", ours) == re.sub(r"qps: \S+", "", theirs)


def test_statistics_of_a_printed_run() -> None:
    text = printed("oltp-read-write")
    seconds = 948 / 236.70
    counts = SqlCounts(transactions=948, reads=13300, writes=3795, other=1898, errors=2, reconnects=0)
    ours = sql_statistics(counts, seconds)
    theirs = part(text, "SQL statistics:", "General statistics:")
    # The rate of queries has one digit more than the seconds that can be read from the text.
    assert re.sub(r"\(4\d+\.\d\d per", "(N per", ours) == re.sub(r"\(4\d+\.\d\d per", "(N per", theirs)
    assert general_statistics(4.0040, 948) == part(text, "General statistics:", "Latency (ms):")
    latency = LatencyFigures(min_ms=0.93, mean_ms=16.89, max_ms=2767.29, percentile_ms=12.52, sum_ms=16009.46)
    assert latency_text(latency, 95) == part(text, "Latency (ms):", "Threads fairness:")
    disabled = printed("read-only-no-percentile")
    latency = LatencyFigures(min_ms=0.39, mean_ms=1.15, max_ms=88.37, sum_ms=2002.10)
    assert latency_text(latency, 0) == part(disabled, "Latency (ms):", "Threads fairness:")


def test_fairness_has_the_deviation_of_all_threads() -> None:
    text = printed("point-select-rate")
    threads = [ThreadFigures(events=258, busy_s=1.9956), ThreadFigures(events=233, busy_s=2.0356)]
    assert fairness_text(threads) == part(text, "Threads fairness:", "")
    assert "0.0000/0.00" in fairness_text([])


def test_values_begin_in_column_42() -> None:
    counts = SqlCounts(transactions=1, reads=2, writes=3, other=4, errors=5, reconnects=6)
    lines = sql_statistics(counts, 1).splitlines()[2:-1] + general_statistics(1, 1).splitlines()[1:-1]
    assert len(lines) == 10
    assert all(line[40] == " " and line[41].isdigit() for line in lines), lines


def test_percentiles_between_whole_ones_keep_their_digits() -> None:
    text = latency_text(LatencyFigures(percentile_ms=1.5), 99.9)
    assert "99.9th percentile:                        1.50\n" in text
    assert "\n        100th percentile:                        0.00\n" in latency_text(LatencyFigures(), 100)


def of_times(counts: dict[float, int]) -> Histogram:
    histogram = HdrHistogram(1, 4_000_000_000_000, 3)
    for ms, count in counts.items():
        histogram.record_value(round(ms * 1e6), count)
    return decode(histogram.encode().decode())


def test_the_histogram_of_a_printed_run() -> None:
    text = printed("update-index-histogram")
    theirs = part(text, "Latency histogram", "SQL statistics:")
    bins = re.findall(r"^ *(\d+\.\d{3}) \|\**\s+(\d+)$", theirs, re.MULTILINE)
    assert len(bins) > 60
    ours = histogram_text(of_times({float(ms): int(count) for ms, count in bins}))
    assert ours == theirs


def test_what_lies_beyond_the_histogram_is_in_its_ends() -> None:
    lines = histogram_text(of_times({0.0001: 1, 3e6: 1})).splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["0.001", "100000.000"]
    assert lines[-1] == " "


def test_sizes() -> None:
    sizes = {1: "1B", 1000: "1000B", 1024: "1KiB", 16384: "16KiB", 3 << 29: "1.5GiB", 1 << 41: "2TiB"}
    assert {size: size_text(size) for size in sizes} == sizes


def test_unfinished_events() -> None:
    assert unfinished_line(3) == "Number of unfinished transactions on forced shutdown: 3\n"
