"""What servers say about their redo."""

from __future__ import annotations

import pytest
from assay.measurement.run.experiments.crash_recovery import age_of, pages_to_recover


@pytest.mark.parametrize(
    "status",
    [
        "LOG\n---\nLog sequence number 1596000\nLog flushed up to   1595999\nLast checkpoint at  1500000\n",
        "LOG\n---\nLog sequence number          1596000\nPages flushed up to          1\n"
        "Last checkpoint at           1500000\n0 pending log flushes",
    ],
)
def test_the_age_is_what_the_checkpoint_is_behind(status: str) -> None:
    assert age_of(status) == 96_000


def test_a_server_that_does_not_tell_has_no_age() -> None:
    assert age_of("Log sequence number 5") is None


@pytest.mark.parametrize(
    ("log", "pages"),
    [
        ("[Note] InnoDB: To recover: 671 pages\n[Note] InnoDB: To recover: 12 pages\n", 671),
        ("[Note] InnoDB: To recover: LSN 8545998/9000000; 361 pages\n", 361),
        ("[Note] InnoDB: Starting final batch to recover 275 pages from redo log\n", 275),
        ("InnoDB: Starting an apply batch of log records to the database...\n", None),
    ],
)
def test_pages_are_counted_where_the_log_names_them(log: str, pages: int | None) -> None:
    assert pages_to_recover(log) == pages
