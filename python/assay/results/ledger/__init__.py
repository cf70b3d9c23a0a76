"""Divides what a run cost into named lines that add up: of processor time, of time, of waits."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.results.ledger import export
    from assay.results.ledger.frames import Frame
    from assay.results.ledger.groups import UNSEEN_KERNEL, group_names
    from assay.results.ledger.line import (
        AFTERWARDS,
        COUNTS,
        LEDGERS,
        METRICS,
        NO_SWITCHES,
        RUNNABLE,
        UNNAMED,
        WAKE_DELAY,
        WOKEN,
        Ledger,
        LedgerLine,
        MeasuredLoad,
        woken_after,
    )
    from assay.results.ledger.lines import WatchedLoad, watched_load
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "AFTERWARDS",
    "COUNTS",
    "LEDGERS",
    "METRICS",
    "NO_SWITCHES",
    "RUNNABLE",
    "UNNAMED",
    "UNSEEN_KERNEL",
    "WAKE_DELAY",
    "WOKEN",
    "Frame",
    "Ledger",
    "LedgerLine",
    "MeasuredLoad",
    "WatchedLoad",
    "export",
    "group_names",
    "watched_load",
    "woken_after",
]
