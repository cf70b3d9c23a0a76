"""Records of the cost of one query or transaction: CPU, reads, writes, bytes, flushes."""

from __future__ import annotations

from dataclasses import dataclass

from assay.reporting.report.material import Material

# What the chart shows first, when it was measured; the table has the rest.
HEADLINE = (
    "cpu_us_per_io",
    "server_cpu_us_per_query",
    "generator_cpu_us_per_query",
    "context_switches_per_query",
    "Innodb_buffer_pool_read_requests_per_query",
    "Innodb_data_reads_per_query",
    "Innodb_buffer_pool_reads_per_query",
    "Innodb_data_writes_per_query",
    "disk_write_bytes_per_query",
    "disk_read_bytes_per_query",
    "Innodb_os_log_written_per_query",
    "Innodb_data_written_per_query",
    "Innodb_data_fsyncs_per_query",
)
CHART_LIMIT = 9


@dataclass(frozen=True)
class Cost:
    """A cost per operation of one treatment at one load, with its 95 % interval over blocks where known."""

    measure: str
    unit: str
    treatment: str
    load: float
    value: float
    low: float | None
    high: float | None

    @property
    def at_least(self) -> bool:
        """A cost is a sum over what ended: never a lower bound."""
        return False


def is_cost(measure: str) -> bool:
    return measure.endswith(("_per_query", "_per_transaction", "_per_io"))


def costs(material: Material) -> list[Cost]:
    """Returns every cost that has an estimate: all that were measured and are not invalid."""
    found = [
        Cost(e.measure, e.unit, e.treatment, e.load, e.value, e.low, e.high)
        for e in material.results.estimates
        if is_cost(e.measure)
    ]
    order = {measure: index for index, measure in enumerate(HEADLINE)}
    places = {treatment: index for index, treatment in enumerate(material.results.treatments)}
    return sorted(
        (cost for cost in found if cost.treatment in places),
        key=lambda c: (order.get(c.measure, len(order)), c.measure, c.load, places[c.treatment]),
    )


def headline(found: list[Cost], load: float) -> list[Cost]:
    """Returns the costs that the chart has room for at `load`: known costs first, then others, all-zero ones
    left out.
    """
    here = [cost for cost in found if cost.load == load]
    worth = {cost.measure for cost in here if cost.value}
    shown = list(dict.fromkeys(cost.measure for cost in here if cost.measure in worth))[:CHART_LIMIT]
    return [cost for cost in here if cost.measure in shown]
