"""Doubts about errors and dropped arrivals, which are outcomes of their own beside throughput."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.server_errors import error_name
from assay.design.study import Kind
from assay.results.verdict.doubts.rung_seen import PER_QUERY, ROLLED_BACK, WRITTEN, RungSeen
from assay.results.verdict.results import DoubtNote

WRITES_KEPT = 0.9
"""Share of the statements that changed rows for which the server must have written at least one."""

ROLLED_BACK_MOST = 0.5
"""Share of the transactions that a workload may roll back on purpose."""

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
    name = error_name(code)
    return f"{code} ({name})" if name else f"{code}"


def unkept(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields doubts where the server's own counters show that it kept clearly less than the load reports:
    fewer rows written than statements that are said to have changed rows, or most transactions rolled back.

    `Handler_commit` is no witness: servers count the end of each statement under it, committed or not.
    """
    queries, transactions = rung.number("queries"), rung.number("transactions")
    written = [rung.measures.get(name + PER_QUERY) for name in WRITTEN]
    if (writes := rung.number("writes")) and None not in written:
        rows = queries * sum(one for one in written if one is not None)
        if rows < WRITES_KEPT * writes:
            yield rung.note(
                "unwritten",
                "warning",
                f"{writes:,.0f} statements changed rows by their answers, the server counted {rows:,.0f} rows"
                " written",
                writes=writes,
                rows=rows,
            )
    rolled_back = queries * rung.measures.get(ROLLED_BACK + PER_QUERY, 0.0)
    meant = rung.number("failed") + rung.number("retries")
    if transactions and rolled_back - meant > ROLLED_BACK_MOST * transactions:
        yield rung.note(
            "rolled-back",
            "warning",
            f"the server rolled back {rolled_back:,.0f} transactions while the load counted"
            f" {transactions:,.0f} that succeeded",
            rolled_back=rolled_back,
            transactions=transactions,
        )


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
