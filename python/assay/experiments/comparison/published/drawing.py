"""Draws a published table as a chart, along the axis that the report used, with a panel for each measure."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.errors import InputError
from assay.experiments.comparison.published.library import PublishedChart, find_table, published_reports
from assay.experiments.comparison.published.tables import PublishedTable, TableAxis
from assay.reporting.report import Chart, PanelPoint, load_words, panels

_MOST_PANELS = 8
_STANDS_FOR = {
    "throughput": "mib_per_s",
    "load": "load_average",
    "cpu_load": "load_average",
    "iowait": "iowait_pct",
    "latency_avg": "mean_ms",
    "latency_min": "min_ms",
    "latency_max": "max_ms",
    "latency_p95": "p95_ms",
    "load_time": "load_s",
    "bandwidth": "mib_per_s",
    "iops_total": "iops",
}
"""Assay's names of measures that the reports call otherwise."""


def our_measure(name: str) -> str:
    """Returns Assay's name for a measure that a report prints: `throughput` is `mib_per_s`."""
    return _STANDS_FOR.get(name, name)


def charts_of(table: PublishedTable) -> tuple[PublishedChart, ...]:
    """Returns the charts in which the report drew this table; none where it printed only the table."""
    return tuple(
        chart for report in published_reports() for chart in report.charts if table.id in chart.tables
    )


def table_and_measures(name: str) -> tuple[PublishedTable, tuple[str, ...]]:
    """Returns the table with this id, or the table and measure that a chart of this name drew.

    Raises InputError where there is none, where no figures of the chart survive, and where it drew several
    tables.
    """
    charts = {chart.name: chart for report in published_reports() for chart in report.charts}
    if name not in charts:
        return find_table(name), ()
    chart = charts[name]
    if len(chart.tables) == 1:
        return find_table(chart.tables[0]), (chart.measure,) if chart.measure else ()
    if chart.tables:
        raise InputError(f"{name} is the name of charts of several tables", hint=", ".join(chart.tables))
    raise InputError(
        f"{name} was published as a picture, and none of its figures survive:"
        f" {chart.y_axis} by {chart.x_axis} ({chart.x_ladder}), {chart.series}",
        hint=f"assay published show {chart.report} prints what the report says about it",
    )


def draw_table(table: PublishedTable, measures: Sequence[str] = (), language: str = "en") -> Chart:
    """Draws the table as its report did: the measures of its charts, or all of them; or those in `measures`.

    Raises InputError for a table without figures, an unknown measure, or more than eight panels.
    """
    x = table.x
    if x is None:
        raise InputError(
            f"{table.id} has settings, not figures: there is nothing to draw",
            hint=f"assay published show {table.id} prints it",
        )
    known = [one.name for one in table.measures]
    drawn = [chart.measure for chart in charts_of(table) if chart.measure]
    wanted = list(measures) or drawn or known
    if unknown := [name for name in wanted if name not in known]:
        raise InputError(f"{table.id} has no measure {unknown[0]!r}", hint=f"it has {', '.join(known)}")
    if len(wanted) > _MOST_PANELS:
        raise InputError(
            f"{table.id} has {len(wanted)} measures, and a picture holds {_MOST_PANELS}",
            hint=f"choose with --measure: {', '.join(known)}",
        )
    words = load_words(language)
    units = {one.name: one.unit for one in table.measures}
    titles = {
        name: words.with_unit(words.measure(our_measure(name)), words.unit(units[name])) for name in wanted
    }
    points = [
        PanelPoint(titles[cell.measure], series_of(table, cell.levels, x), level, cell.value)
        for cell in table.cells
        if cell.measure in titles and cell.value is not None
        for level in [cell.levels[table.column(x)]]
    ]
    if not points:
        raise InputError(f"{table.id} prints no number of {', '.join(wanted)}")
    points.sort(key=lambda point: list(titles.values()).index(point.panel))
    title = words.get(f"load.{x.name}", x.name)
    return Chart("", table.id, "", "", panels(points, words.with_unit(title, x.unit)), points)


def series_of(table: PublishedTable, levels: Sequence[str], x: TableAxis) -> str:
    """Returns the levels on all axes but `x`, `numa=off`; the table's name where there is no other axis."""
    others = [
        f"{axis.name}={level}"
        for axis, level in zip(table.axes, levels, strict=True)
        if axis != x and level not in ("", "all")
    ]
    return ", ".join(others) or table.name
