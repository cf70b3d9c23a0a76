"""The ledger "waits", and counts for that of counters: what a server itself counts of waits, statements and
InnoDB, for one transaction.

Waits overlap (a table's I/O contains that of its files), so they have no sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

import msgspec

from assay.base.decoding import toml_tables
from assay.design.folder import CountedStatement, CountedWaits
from assay.results.ledger.line import METRICS, LedgerLine

STATEMENT, STATEMENTS, EXAMINED, SENT, ERRORS, STATEMENT_CPU = (
    "statement",
    "statements",
    "statement-rows-examined",
    "statement-rows-sent",
    "statement-errors",
    "statement-cpu",
)
COUNT, ROWS = "count", "rows"
_LEAST_US = 0.001
"""Lines below a nanosecond a transaction are noise of the clock."""


class _EventGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    group: str
    names: str


class _Events(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    event: list[_EventGroup]


class _Metrics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    names: list[str]


def counted_lines(counted: CountedWaits, transactions: float) -> Iterator[LedgerLine]:
    """Yields the lines of what was counted while this many transactions ended; times in microseconds."""
    if transactions <= 0:
        return
    grown = set()
    for one in [*counted.waits, *counted.stages]:
        group = group_of(one.name)
        if group is not None and one.ns is not None and one.ns / 1e3 / transactions >= _LEAST_US:
            grown.add(group)
            yield LedgerLine("waits", group, one.name, one.ns / 1e3 / transactions)
    watched = {group_of(name) for name in counted.timed or ()}
    for group in sorted(group for group in watched - grown if group is not None):
        yield LedgerLine("waits", group, "", 0.0)  # it was counted, and there was none
    for one in counted.metrics:
        if one.name in metric_names():
            yield LedgerLine("counts", METRICS, one.name, one.count / transactions, COUNT)
    for statement in counted.statements:
        yield from _of_statement(statement, transactions)


def _of_statement(one: CountedStatement, transactions: float) -> Iterator[LedgerLine]:
    yield LedgerLine("waits", STATEMENT, one.text, one.ns / 1e3 / transactions)
    yield LedgerLine("counts", STATEMENTS, one.text, one.count / transactions, COUNT)
    for group, figure, unit in (
        (EXAMINED, one.rows_examined, ROWS),
        (SENT, one.rows_sent, ROWS),
        (ERRORS, one.errors, COUNT),
    ):
        if figure is not None:
            yield LedgerLine("counts", group, one.text, figure / transactions, unit)
    if one.cpu_ns is not None:
        yield LedgerLine("waits", STATEMENT_CPU, one.text, one.cpu_ns / 1e3 / transactions)


def group_of(name: str) -> str | None:
    """Returns the group of an event's name, by `events.toml`; None where it has none."""
    return next((group for group, pattern in _groups() if pattern.search(name)), None)


def counted_groups() -> tuple[str, ...]:
    """Returns all groups of this ledger, sorted."""
    return tuple(sorted({group for group, _ in _groups()} | {STATEMENT, STATEMENT_CPU}))


@cache
def metric_names() -> frozenset[str]:
    """Returns the names of the metrics of InnoDB that are kept, by `metrics.toml`."""
    return frozenset(msgspec.convert(toml_tables(_text("metrics")), _Metrics).names)


@cache
def _groups() -> list[tuple[str, re.Pattern[str]]]:
    found = msgspec.convert(toml_tables(_text("events")), _Events).event
    return [(one.group, re.compile(one.names)) for one in found]


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
