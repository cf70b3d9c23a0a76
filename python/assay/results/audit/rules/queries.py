"""The rule that a workload sends a fixed number of queries per transaction, at any load."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import number
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Material, Table
from assay.results.audit.rules.ratios import broken_ratio, pairs_of
from assay.results.audit.rules.rule import Rule


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        sums = pairs_of(list(rates_of(table)))
        if sums:
            each = sums[0].expected / sums[0].where[0].value
            said = f"{each:.0f}" if abs(each / max(round(each), 1) - 1) < 1e-3 else number(each)
            yield from broken_ratio(material, RULE.name, f"{said} queries a transaction", sums)


def rates_of(table: Table) -> Iterator[tuple[Cell, Cell]]:
    """Yields the transactions and the queries of each row that has both."""
    for row in table.rows.values():
        kinds = {role.kind: cell for cell in row.values() if (role := role_of(cell.metric, cell.unit))}
        if "tps" in kinds and "qps" in kinds:
            yield kinds["tps"], kinds["qps"]


RULE = Rule(
    "queries-per-transaction",
    "queries = a constant x transactions, row by row",
    _check,
    kind="arithmetic",
    must="queries are a constant x transactions, also if two tables print them separately; to 0.1 % "
    "where ten rows or more keep a whole number to the last digit, to 0.01 % if there are too few "
    "queries",
)
