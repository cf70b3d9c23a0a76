"""A chart of the report, for a notebook."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from assay.front.api.table import Table, of_columns
from assay.reporting.report import Chart as DrawnChart
from assay.reporting.report import specification, to_png, to_svg


@dataclass(frozen=True, repr=False)
class Chart:
    """One chart of the report: its records, its Vega-Lite specification, and its pictures."""

    _chart: DrawnChart

    @property
    def name(self) -> str:
        """The name of the chart's file in the report: `throughput`."""
        return self._chart.name

    @property
    def title(self) -> str:
        """The heading, in English."""
        return self._chart.title

    @property
    def caption(self) -> str:
        """What the marks of the chart are, in English."""
        return self._chart.caption

    @property
    def says(self) -> str:
        """One sentence on what the chart shows, in English: the heading of the figure."""
        return self._chart.says

    @property
    def spec(self) -> dict[str, Any]:
        """Returns the whole Vega-Lite document with its data; `altair.Chart.from_dict` accepts it."""
        found: dict[str, Any] = json.loads(specification(self._chart))
        return found

    def records(self) -> Table:
        """Returns the numbers that are drawn, a row each, with full precision."""
        rows = [asdict(record) for record in self._chart.records]
        names = list(rows[0]) if rows else []
        return of_columns(names, [list(row.values()) for row in rows])

    def svg(self) -> str:
        """Returns a stand-alone SVG document."""
        return to_svg(self._chart)

    def png(self) -> bytes:
        """Returns a PNG at twice the screen's resolution."""
        return to_png(self._chart)

    def __repr__(self) -> str:
        return f"<assay.Chart {self.name}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg()
