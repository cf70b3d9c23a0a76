"""Errors and drops: outcomes of their own, shown beside throughput."""

from __future__ import annotations

from collections.abc import Iterator

from assay.verdict.doubts.rung_seen import RungSeen
from assay.verdict.results import DoubtNote

WAITING = 0.001
"""Share of the operations that may wait for a disk at any instant, and so at the last of the window."""


def errors(rung: RungSeen) -> Iterator[DoubtNote]:
    """Server errors by code, and transactions given up."""
    failed, transactions = rung.number("failed"), rung.number("transactions")
    codes = ", ".join(
        f"{count} of {code or 'lost connection'}" for code, count in sorted(rung.errors.items())
    )
    if failed:
        share = failed / (failed + transactions)
        yield rung.note(
            "failed-transactions",
            "warning",
            f"{failed:.0f} transactions ({share:.2%}) were given up; errors by code: {codes or 'none'}",
            failed=failed,
            share=share,
            codes=_codes(rung),
        )
    elif codes:
        message = f"errors by code, all tried again with success: {codes}"
        yield rung.note("errors", "note", message, codes=_codes(rung))


def _codes(rung: RungSeen) -> str:
    """`1213 × 2, 0 × 1`, in no language; 0 is a lost connection."""
    return ", ".join(f"{code} × {count}" for code, count in sorted(rung.errors.items())) or "–"


def dropped(rung: RungSeen) -> Iterator[DoubtNote]:
    """Open loop: arrivals that found the queue full; of files, those that still waited at the end."""
    if lost := rung.number("dropped"):
        share = lost / (lost + rung.number("transactions"))
        if rung.on_files and share < WAITING:
            return
        late = "fell due and were not started before the window was over: the disk"
        full = "were dropped because the queue was full: the server"
        yield rung.note(
            "dropped",
            "warning",
            f"{lost:.0f} arrivals ({share:.1%}) {late if rung.on_files else full} does not"
            " keep up with this rate, and response times are those of the ones that got in",
            lost=lost,
            share=share,
        )
