from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

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


def test_a_program_that_is_asked_to_end_ends_what_it_started(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    program = (
        "from benchmarks.ending import exit_as; from benchmarks.child import run_child;"
        "exit_as(lambda: run_child(['sh', '-c', "
        f"'echo $$ > {told}.new; mv {told}.new {told}; exec sleep 60']))"
    )
    bench = subprocess.Popen([sys.executable, "-c", program])
    while not told.exists():
        assert bench.poll() is None
        time.sleep(0.01)
    bench.terminate()
    assert bench.wait() == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)
