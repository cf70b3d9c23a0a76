"""Doubts about errors and dropped arrivals, which are outcomes of their own beside throughput."""

from __future__ import annotations

from collections.abc import Iterator

from pymysql.constants import ER

from assay.study import Kind
from assay.verdict.doubts.rung_seen import RungSeen
from assay.verdict.results import DoubtNote

NAMES = {code: name for name, code in vars(ER).items() if isinstance(code, int)}

WAITING = 0.001
"""Share of the operations that may wait for a disk at any instant, and so at the last of the window."""

_NOT_DONE: dict[Kind, tuple[float, str]] = {
    "server": (0.0, "were dropped because the queue was full: the server"),
    "storage": (WAITING, "were due but not started before the window ended: the disk"),
}
"""Share of lost arrivals that is too small to report, and the fate of the others."""


def errors(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields doubts about server errors, by code, and about transactions that were given up."""
    failed, transactions = rung.number("failed"), rung.number("transactions")
    if failed:
        share = failed / (failed + transactions)
        yield rung.note(
            "failed-transactions",
            "warning",
            f"{failed:.0f} transactions ({share:.2%}) were given up; errors by code: {_codes(rung)}",
            failed=failed,
            share=share,
            codes=_codes(rung),
        )
    elif rung.errors:
        message = f"errors, all retried successfully: {_codes(rung)}"
        yield rung.note("errors", "note", message, codes=_codes(rung))


def _codes(rung: RungSeen) -> str:
    """Returns error codes with their counts, `1213 (LOCK_DEADLOCK) × 2, 0 × 1`, in no language; 0 is a lost
    connection.
    """
    return ", ".join(f"{_named(code)} × {count:,}" for code, count in sorted(rung.errors.items())) or "–"


def _named(code: int) -> str:
    return f"{code} ({NAMES[code]})" if code in NAMES else str(code)


def dropped(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields doubts about arrivals of an open loop that found the queue full or, on storage, still waited at
    the end.
    """
    if lost := rung.number("dropped"):
        share = lost / (lost + rung.number("transactions"))
        usual, why = _NOT_DONE[rung.subject]
        if share < usual:
            return
        yield rung.note(
            "dropped",
            "warning",
            f"{lost:.0f} arrivals ({share:.1%}) {why} does not"
            " keep up with this rate, and percentiles that they could change are lower bounds",
            lost=lost,
            share=share,
        )
