"""The rule that a load average has its tasks: a load of N threads makes no more than N and a few."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from assay.audit.metrics import role_of
from assay.audit.model import Cell, Finding, Material, at
from assay.audit.rules.rule import Rule

_TIMES, _MORE = 1.5, 2.0
_LEAST = 3


def _check(material: Material) -> Iterator[Finding]:
    tables: dict[tuple[str, str], list[list[Cell]]] = defaultdict(list)
    for key, curve in material.series.items():
        cells = list(curve.values())
        role = role_of(cells[0].metric, cells[0].unit)
        if role is None or role.kind != "load" or cells[0].axis != "threads":
            continue
        high = [cell for cell in cells if cell.figure.low > _TIMES * (cell.rung or 0.0) + _MORE]
        if len(high) >= _LEAST:
            tables[cells[0].file, key[1]].append(high)
    for series in tables.values():
        worst = max((cell for high in series for cell in high), key=lambda one: one.value / (one.rung or 1.0))
        rungs = sum(len(high) for high in series)
        yield at(
            worst,
            RULE.name,
            "warning",
            "low",
            expected=f"about {worst.rung:g}",
            sign=f"a load of {worst.rung:g} threads makes a load average of {worst.figure.text}:"
            " other tasks ran on the machine",
            second_sign=f"so at {rungs} load points of this table",
        )


RULE = Rule("load-average", "load averages far above the number of threads", _check)
