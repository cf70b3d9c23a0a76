"""Names and measures of loads on storage, which need no server."""

from __future__ import annotations

import re

FIO = "fio:"
"""Prefix of the name of a job file, which lies beside the study file."""
_COMMENT = re.compile(r"(^|\s)[#;].*")
_INCLUDE = re.compile(r"include\s+(\S.*)")
FILEIO = "fileio"
INNODB = "innodb-pattern"
NO_SERVER = "none"
"""The server's name in a study without one."""
UNKNOWN_SERVER = "unknown"
"""The server's name in a study of imported results that do not say it."""

TIMES = ("min", "mean", "stdev", "p50", "p95", "p99", "p99_9", "max")
PARTS = ("", "submit_", "completion_")
"""Parts of a time: all of it; until the call that handed the operation over had returned; the rest."""

DEPTHS = ("1", "2", "4", "8", "16", "32", "64_up")
"""fio's levels of operations in flight: each and everything up to the next."""
SIZES = ("0", "4", "8", "16", "32", "64", "64_up")
"""fio's levels of operations in one call: each and everything from the one before."""
_STEPS = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
LATENCIES_MS = (*(step / 1000 for step in _STEPS), *_STEPS, 2000)
"""Edges of fio's table of latencies, in milliseconds."""

READS, REDO, PAGES, DOUBLEWRITE = "reads", "redo", "pages", "doublewrite"
"""The jobs of `innodb-pattern`."""

PATTERN: dict[str, str] = {
    "commits_per_s": "/s",
    "commit_wait_mean_ms": "ms",
    "commit_flush_p99_ms": "ms",
    "pages_flushed_per_s": "/s",
    "page_flush_p99_ms": "ms",
}
"""Measures of `innodb-pattern`: appends to the log with their fsyncs; pages written, queueing included."""

ROUNDS: dict[str, str] = {
    "steady_state_reached": "",
    "rounds_to_steady": "",
    "steady_range_pct": "%",
    "steady_slope_pct": "%",
}
"""Measures of the rounds before a rung: whether the steady state was reached (1 or 0), how many there were,
and their last window.
"""

MEASURES: dict[str, str] = {
    "iops": "/s",
    "read_iops": "/s",
    "write_iops": "/s",
    "syncs_per_s": "/s",
    "mib_per_s": "MiB/s",
    "read_mib_per_s": "MiB/s",
    "write_mib_per_s": "MiB/s",
    "cpu_us_per_io": "us",
    "mean_depth": "",
    "disk_util_pct": "%",
    **{f"{side}_{part}{time}_ms": "ms" for side in ("read", "write") for part in PARTS for time in TIMES},
    **{f"sync_{time}_ms": "ms" for time in TIMES},
    **PATTERN,
    **ROUNDS,
}
"""Name -> unit. `mean_ms`, `p95_ms` and the like are there too: of reads and writes together, all of it."""

HIGHER_IS_BETTER = frozenset(name for name in MEASURES if name.endswith(("iops", "mib_per_s"))) | {
    "syncs_per_s",
    "commits_per_s",
    "pages_flushed_per_s",
    "steady_state_reached",
}

HEADLINES = ("iops", "mib_per_s", "p95_ms", "p99_ms")
"""Measures that are always compared, throughput first."""
PATTERN_HEADLINES = ("pages_flushed_per_s", "commits_per_s", "page_flush_p99_ms", "commit_wait_mean_ms")
"""Measures of `innodb-pattern` that are always compared; its operations are of four kinds, whose sum says
little.
"""


def included(line: str) -> str | None:
    """Returns the file that a line of a job file, without its comment, includes; None where it includes
    none.
    """
    found = _INCLUDE.fullmatch(line)
    return found[1] if found else None


def without_comment(line: str) -> str:
    """Returns a line of a job file up to `#` or `;` at its beginning or after a blank."""
    return _COMMENT.sub("", line).strip()


def job_file(use: str) -> str | None:
    """Returns the name of the job file that a workload names; None for other workloads."""
    return use.removeprefix(FIO) if use.startswith(FIO) else None
