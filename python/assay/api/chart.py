"""A chart of the report, for a notebook."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from assay.api.table import Table, of_columns
from assay.report import Chart as DrawnChart
from assay.report import specification, to_png, to_svg


@dataclass(frozen=True, repr=False)
class Chart:
    """One chart of the report: its records, its Vega-Lite specification, and how it looks."""

    _chart: DrawnChart

    @property
    def name(self) -> str:
        """How the report's file is called: `throughput`."""
        return self._chart.name

    @property
    def title(self) -> str:
        """The heading, in English."""
        return self._chart.title

    @property
    def caption(self) -> str:
        """What is drawn and how it is read, in English."""
        return self._chart.caption

    @property
    def spec(self) -> dict[str, Any]:
        """The whole Vega-Lite document, data included: `altair.Chart.from_dict` takes it."""
        found: dict[str, Any] = json.loads(specification(self._chart))
        return found

    def records(self) -> Table:
        """The numbers that are drawn, a row each, with full precision."""
        rows = [asdict(record) for record in self._chart.records]
        names = list(rows[0]) if rows else []
        return of_columns(names, [list(row.values()) for row in rows])

    def svg(self) -> str:
        """A standing-alone SVG document."""
        return to_svg(self._chart)

    def png(self) -> bytes:
        """A PNG at twice the screen's resolution."""
        return to_png(self._chart)

    def __repr__(self) -> str:
        return f"<assay.Chart {self.name}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg()
