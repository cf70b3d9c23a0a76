"""The rule that results state the load under which they were measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assay.audit.metrics import role_of
from assay.audit.model import Finding, Material, at
from assay.audit.rules.rule import Rule

_UNKNOWN = {"unspecified", "unknown", "not stated", "n/a", "?"}


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        cells = [cell for row in table.rows.values() for cell in row.values()]
        rates = [
            c for c in cells if (role := role_of(c.metric, c.unit)) and role.kind in ("tps", "qps", "latency")
        ]
        blind = [cell for cell in rates if cell.level("workload").lower() in _UNKNOWN]
        if not blind or len(blind) < len(rates):
            continue
        loads = all(cell.rung is None for cell in blind)
        found = at(
            blind[0],
            RULE.name,
            "warning",
            "high",
            expected="the workload, its size, the number of connections",
            sign=f"the workload is {blind[0].level('workload')}",
            second_sign="nor is the number of connections" if loads else "",
        )
        yield replace(found, row="every row", column="workload, threads", printed=blind[0].level("workload"))


RULE = Rule("undeclared", "results that do not say of which load they are", _check)
