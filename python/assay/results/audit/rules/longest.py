"""The rule that no operation lasts longer than the run in which it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.base.numbers import number
from assay.results.audit.metrics import role_of, seconds
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_ROOM = 1.1
"""Times the run that an operation may last: means of several runs stand beside the longest of all."""


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        for row in table.rows.values():
            cells = {
                (role.kind, role.stat): cell
                for cell in row.values()
                if (role := role_of(cell.metric, cell.unit))
            }
            longest, run_s = cells.get(("latency", "max")), _run(row, cells)
            if longest is None or run_s is None:
                continue
            worst_s = seconds(longest.figure.low, longest.unit)
            if worst_s > _ROOM * run_s[0]:
                yield at(
                    longest,
                    RULE.name,
                    "warning",
                    "high",
                    expected=f"at most {number(run_s[0] / seconds(1.0, longest.unit))}",
                    sign=f"an operation of {number(worst_s)} s in a run of {number(run_s[0])} s",
                    second_sign=run_s[1],
                )


def _run(row: Mapping[str, Cell], cells: Mapping[tuple[str, str], Cell]) -> tuple[float, str] | None:
    """Returns the longest time that a run can have lasted, in seconds, and what says so."""
    if "elapsed_s" in row:
        return row["elapsed_s"].figure.high, "the output prints the time of the run"
    count = cells.get(("count", "mean"))
    rate = cells.get(("qps", "mean")) or cells.get(("tps", "mean"))
    if count is None or rate is None or rate.figure.low <= 0 or count.value <= 0:
        return None
    time_s = count.figure.high / rate.figure.low
    return time_s, f"{count.figure.text} operations at {rate.figure.text} a second are the whole run"


RULE = Rule(
    "longest",
    "operations that last longer than their run",
    _check,
    kind="physics",
    must="no operation lasts longer than its run",
)
