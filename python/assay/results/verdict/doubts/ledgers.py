"""Doubts about ledgers: lines that do not add up to what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.results.verdict.results import DoubtNote
from assay.results.verdict.why.lines import RunLedgers
from assay.results.verdict.why.records import LedgerShift
from assay.results.verdict.why.run_ledger import WITHIN


def unbalanced(ledgers: RunLedgers) -> Iterator[DoubtNote]:
    """Yields a note for every run and load point whose lines miss what was measured by more than 1 %: it says
    nothing of the measured figures.
    """
    for (ledger, _, load), blocks in ledgers.items():
        for run in blocks.values():
            if run.total is None or run.is_whole:
                continue
            message = (
                f"the lines of the ledger of {ledger} add up to {run.sum:.4g} µs, and {run.total:.4g} µs were"
                f" measured: they must agree within {100 * WITHIN:g} %"
            )
            facts: dict[str, str | int | float] = {"ledger": ledger, "lines": run.sum, "measured": run.total}
            yield DoubtNote("ledger-sum", message, run.run_id, load, "note", facts)


def unbalanced_differences(shifts: Sequence[LedgerShift]) -> Iterator[DoubtNote]:
    """Yields a note for every difference that is certain and of which the lines miss more than 1 %, although
    the lines of each run miss less of its total.
    """
    for one in shifts:
        if not one.moved or one.change is None or one.apart is None:
            continue
        if abs(one.apart) > WITHIN * abs(one.change):
            lines = one.change - one.apart
            message = (
                f"the lines of the ledger of {one.ledger} differ by {lines:.4g} µs together for {one.other},"
                f" and {one.change:.4g} µs were measured: they must agree within {100 * WITHIN:g} %"
            )
            facts: dict[str, str | int | float] = {
                "ledger": one.ledger,
                "lines": lines,
                "measured": one.change,
            }
            yield DoubtNote("ledger-sum", message, None, one.load, "note", facts)
