"""The rule that the counts of one output agree: statements add up, and rates and means follow from counts.

A rate over another time than the one printed is no fault: tools leave a warm-up out. It counts where the
output's other rate is over the printed time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.base.numbers import number
from assay.results.audit.figure import Figure
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_ROOM = 0.01
_PARTS = ("reads", "writes", "other")
_RATES = (("qps", "queries"), ("tps", "transactions"))

Row = Mapping[str, Cell]


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        for row in table.rows.values():
            yield from _statements(row)
            yield from _rates(row)
            yield from _of_threads(row)


def _statements(row: Row) -> Iterator[Finding]:
    if "queries" in row and all(part in row for part in _PARTS):
        counts = [row[part].value for part in _PARTS]
        if not _agree(row["queries"].figure, sum(counts)):
            terms = " + ".join(f"{count:.0f}" for count in counts)
            yield _finding(row["queries"], sum(counts), f"{terms} statements are {sum(counts):.0f}")


def _rates(row: Row) -> Iterator[Finding]:
    if "elapsed_s" not in row or not all(name in row for pair in _RATES for name in pair):
        return
    time_s = row["elapsed_s"].value
    if not time_s:
        return
    misses = [
        (rate, count) for rate, count in _RATES if not _near(row[rate].value, row[count].value / time_s)
    ]
    for rate, count in misses if len(misses) == 1 else ():
        sign = f"{row[count].figure.text} {count} in {row['elapsed_s'].figure.text} s"
        yield _finding(row[rate], row[count].value / time_s, sign)


def _of_threads(row: Row) -> Iterator[Finding]:
    if "events" in row and "thread_events_mean" in row:
        mean, events = row["thread_events_mean"], row["events"]
        if events.axis == "threads" and events.rung and not _near(mean.value, events.value / events.rung):
            sign = f"{events.figure.text} events of {events.rung:g} threads"
            yield _finding(mean, events.value / events.rung, sign)


def _agree(printed: Figure, count: float) -> bool:
    return printed.low <= count <= printed.high


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= _ROOM * abs(other)


def _finding(cell: Cell, expected: float, sign: str) -> Finding:
    return at(
        cell,
        RULE.name,
        "error",
        "high",
        expected=number(expected),
        sign=f"{sign}; {cell.figure.text} is printed",
        second_sign="one program counted them all",
    )


RULE = Rule(
    "printed-counts",
    "statements, rates and means of one output against its counts",
    _check,
    kind="arithmetic",
    must="in one output of a tool, reads, writes and other statements make the queries; a rate is its "
    "count over the printed time if the other rate is; events a thread are events / threads",
)
