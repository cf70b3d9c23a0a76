from __future__ import annotations

import pytest

from benchmarks.child import ContestantFailed
from benchmarks.linkbench_java import loaded, operations, steady_rate

_LINES = (
    ("05,000", "Thread-1", "Requester #1 warmup finished  after 40 warmup requests.  0/100 requests done"),
    ("06,000", "Thread-0", "500/9999 requests finished: 5.0% complete at 500.0 ops/sec 1.0/10 secs elapsed"),
    ("07,000", "Thread-0", "Requester #0 warmup finished  after 60 warmup requests.  0/100 requests done"),
    (
        "08,000",
        "Thread-0",
        "2000/9999 requests finished: 20.0% complete at 666.7 ops/sec 3.0/10 secs elapsed",
    ),
    (
        "09,500",
        "Thread-1",
        "3000/9999 requests finished: 30.0% complete at 666.7 ops/sec 4.5/10 secs elapsed",
    ),
    (
        "14,000",
        "Thread-0",
        "8000/9999 requests finished: 80.0% complete at 888.9 ops/sec 9.0/10 secs elapsed",
    ),
    ("15,000", "Thread-1", "Requester #1: time limit of 10s elapsed, shutting down."),
    (
        "17,000",
        "Thread-0",
        "8500/9999 requests finished: 85.0% complete at 708.3 ops/sec 12.0/10 secs elapsed",
    ),
    ("17,100", "Thread-0", "Requester #0: time limit of 10s elapsed, shutting down."),
    ("17,200", "main", "REQUEST PHASE COMPLETED. 8600 requests done in 12 seconds. Requests/second = 716"),
)
_RUN = "".join(f"INFO 2026-01-02 10:00:{at} [{thread}]: {words}\n" for at, thread, words in _LINES)


def test_the_rate_is_of_the_time_in_which_all_requesters_ran() -> None:
    assert steady_rate(_RUN) == pytest.approx(1000.0)  # 6000 in the 6 s from 10:00:08 to 10:00:14


def test_operations_of_the_warm_up_cost_as_well() -> None:
    assert operations(_RUN) == 8700


@pytest.mark.parametrize("without", ["warmup finished", "time limit of", "requests finished"])
def test_a_run_that_shows_no_rate_is_said(without: str) -> None:
    text = "\n".join(line for line in _RUN.splitlines() if without not in line)
    with pytest.raises(ContestantFailed):
        steady_rate(text)


def test_a_load_says_its_links_and_seconds() -> None:
    line = (
        "INFO 2026-01-02 10:00:00,000 [main]: LOAD PHASE COMPLETED.  Loaded 100000 nodes (Expected 100000)."
        " Loaded 1368899 links (13.69 links per node).  Took 61.6 seconds.  Links/second = 22214"
    )
    assert loaded(line) == (1_368_899, 61.6)
    with pytest.raises(ContestantFailed):
        loaded("INFO 2026-01-02 10:00:00,000 [main]: Starting loaders 10")
