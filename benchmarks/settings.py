"""The settings of a bench: how many pairs, and how long they take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.load import Load


@dataclass(frozen=True)
class Settings:
    """`pairs` is the number of rounds over all cells. Costs are measured longer than rates, because they
    include the set-up.
    """

    quick: bool = False
    pairs: int = 5
    seconds: int = 3  # one measurement of a rate
    cost_seconds: int = 8  # one measurement of CPU per query
    tables: int = 4
    table_size: int = 100_000
    load_rows: int = 1_000_000  # of the table that `prepare` is timed with
    dump_mb: int = 300  # of the dump that is loaded
    warehouses: int = 2  # of the tables of TPC-C
    ids: int = 100_000  # of the graph of LinkBench

    def load(self, workload: str, connections: int, seconds: int = 0, **more: Any) -> Load:
        """Returns a load on the tables of the bench."""
        more = {"tables": self.tables, "table_size": self.table_size, **more}
        return Load(workload, connections, seconds, **more)

    @property
    def said(self) -> str:
        """The settings in one line."""
        return (
            f"{self.pairs} pairs; {self.seconds} s for a rate, {self.cost_seconds} s for a cost; "
            f"{self.tables} x {self.table_size} rows, {self.warehouses} warehouses, {self.ids} ids"
            + ("; quick" if self.quick else "")
        )


QUICK = Settings(
    quick=True,
    pairs=2,
    seconds=1,
    cost_seconds=2,
    tables=2,
    table_size=20_000,
    load_rows=100_000,
    dump_mb=30,
    warehouses=1,
    ids=10_000,
)
