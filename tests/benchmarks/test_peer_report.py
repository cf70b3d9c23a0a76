from __future__ import annotations

import pytest

from benchmarks.child import ContestantFailed, run_child
from benchmarks.peer import parse_report

# The shape of sysbench 1.0.20's report, with figures of our own.
REPORT = """
SQL statistics:
    transactions:                        300    (99.50 per sec.)
    queries:                             6000   (1990.00 per sec.)
    ignored errors:                      0      (0.00 per sec.)

Latency (ms):
         min:                                    1.05
         avg:                                    9.98
         max:                                   48.20
         95th percentile:                       20.37
"""


def test_figures_of_a_report() -> None:
    assert parse_report(REPORT) == {
        "events": 300,
        "tps": 99.5,
        "queries": 6000,
        "qps": 1990.0,
        "mean_ms": 9.98,
        "max_ms": 48.2,
        "p95_ms": 20.37,
    }


def test_a_report_without_them_is_a_failure() -> None:
    with pytest.raises(ContestantFailed, match="transactions"):
        parse_report("FATAL: something")


def test_a_child_is_seen_to_its_end() -> None:
    child = run_child(["sh", "-c", "cat; echo no >&2; exit 3"], stdin=b"job")
    assert (child.stdout, child.stderr.strip(), child.exit_code) == ("job", "no", 3)


def test_a_child_that_does_not_end_is_killed() -> None:
    with pytest.raises(ContestantFailed, match="not done"):
        run_child(["sleep", "60"], limit_s=0.1)
