"""The kinds of lines that sysbench 0.4, 0.5 and 1.0 print: statistics by their heads, and settings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.experiments.adopt.lines import Row, Unit

BANNER = re.compile(r"sysbench (\d+\.\d+)(\S*?)(?::\s.*|\s\(using .*|\s*)")
BODY = re.compile(r"\s*(SQL statistics|OLTP test statistics|General statistics|Test execution summary):")
_NUMBER = r"(\d+(?:\.\d+)?)"
_WHOLE = r"(\d+)"


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
SERVERS = frozenset({"SQL statistics:", "OLTP test statistics:"})
FILES = "File operations:"
TOTALS = ("General statistics:", "Test execution summary:", "Throughput:")
LATENCIES = ("Latency (ms):", "response time:", "per-request statistics:")
LAST = "Threads fairness:"

SILENT = re.compile(
    r"queries performed:|Number of unfinished transactions on forced shutdown: \d+"
    r"|\(last message repeated \d+ times\)|Time limit exceeded, exiting\.\.\.|Done\."
    r"|Running the test with following options:|Initializing random number generator from .*"
    r"|Initializing worker threads\.\.\.|Threads started!|No DB drivers specified, using \w+"
    r"|Doing OLTP test\.|Using .* for starting transactions|Using auto_inc on the id column"
    r"|Using \d+ test tables|Random number generator seed is .*"
    r"|Calling fsync\(\) (?:at the end of test|after each write operation), Enabled\."
)
"""Lines without a figure and without news."""
OTHER_TESTS = re.compile(
    r"CPU speed:|Doing (?:CPU|memory|thread|mutex).*|Running memory speed test.*"
    r"|Maximum prime number checked in CPU test: .*|Total operations: .*"
    r"|Operations performed:.*"
)

SETTINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
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
        (r"Number of IO requests: (\d+)", "file_io_requests"),
        (r"Block size (.*\S)", "file_block_size"),
        (r"Read/Write ratio for combined random IO test: ([\d.]+)", "file_rw_ratio"),
        (r"Periodic FSYNC enabled, calling fsync\(\) each (\d+) requests\.", "file_fsync_freq"),
        (r"Using (.*\S) I/O mode", "file_io_mode"),
        (r"Doing (.*\S) test", "file_test_mode"),
    )
)
