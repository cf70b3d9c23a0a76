"""The figures that a result of TPC-C has besides those of every workload."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from assay.design.folder import Event, Interval, RunResult
from assay.front.compat.tpcc_mysql.figures import tpcc_figures
from assay.front.compat.tpcc_mysql.histograms import OverTime
from assay.front.compat.tpcc_mysql.text import print_histograms, print_tpcc
from assay.front.terminal import AssayConsole


@dataclass
class TpccAddition:
    """Adds tpmC, the audit of the inputs, limits and distributions; the latter are printed with
    `histograms`.
    """

    histograms: bool = False
    over_time: OverTime = field(default_factory=OverTime)

    def hear(self, event: Event) -> None:
        """Keeps the New-Orders of each interval."""
        if isinstance(event, Interval):
            self.over_time.note(event)

    def figures(self, result: RunResult) -> dict[str, Any]:
        """Returns all figures of TPC-C under `tpcc`."""
        return {"tpcc": tpcc_figures(result) | {"over_time": self.over_time.bins(result.start_ns)}}

    def show(self, figures: dict[str, Any], console: AssayConsole) -> None:
        """Prints tpmC and the audit, then the distributions if asked for."""
        print_tpcc(figures["tpcc"], figures["facts"], console)
        if self.histograms:
            console.print()
            print_histograms(figures["tpcc"], console)
