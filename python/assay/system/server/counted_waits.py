"""Counts what a server's connections wait for between two instants, by performance_schema and INNODB_METRICS.

Source: manuals of MySQL 5.5 to 9.7 and MariaDB 10.1 to 11.8, "Performance Schema" and "INNODB_METRICS".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from assay.base.errors import ServerError
from assay.design.folder import CountedWait, CountedWaits
from assay.system.server.connection import Connection
from assay.system.server.counted_statements import (
    FULL,
    MISSING_TABLE,
    StatementSums,
    grown_statements,
    read_statements,
)
from assay.system.server.gauges import is_gauge
from assay.system.server.instrumentation import (
    METRICS,
    REFUSED,
    Instrumentation,
    metrics_flag,
    timed_events,
)

Read = TypeVar("Read")
_PS_NS = 1000.0  # timers count picoseconds
_CONNECTION = "thread/sql/one_connection"

_BY_THREAD = (
    "SELECT w.EVENT_NAME, SUM(w.COUNT_STAR), SUM(w.SUM_TIMER_WAIT)"
    " FROM performance_schema.events_{kind}_summary_by_thread_by_event_name w"
    " JOIN performance_schema.threads t ON t.THREAD_ID = w.THREAD_ID"
    f" WHERE t.NAME = '{_CONNECTION}' AND w.COUNT_STAR > 0{{of}} GROUP BY w.EVENT_NAME"
)
_OF_LOAD = " AND t.PROCESSLIST_DB IS NOT NULL"
"""The lab's own connections have no database."""

_Sums = dict[str, tuple[float, float]]
"""Count and picoseconds by name."""


@dataclass
class _Reading:
    waits: _Sums
    stages: _Sums
    statements: StatementSums
    metrics: dict[str, float]
    at_ns: int


@dataclass
class WaitCounter:
    """Counts waits between `begin` and `end`, over one connection.

    `may_change`: the server is the lab's own, so that what is off may be switched on for that time. `notes`:
    what could not be counted, each a sentence.
    """

    connection: Connection
    may_change: bool
    notes: list[str] = field(default_factory=list)
    _before: _Reading | None = None
    _has_schema: bool = False
    _of_load: str = ""
    _timed: list[str] | None = None

    def __post_init__(self) -> None:
        self._switches = Instrumentation(self.connection)

    def begin(self) -> None:
        """Switches on what is off, and reads. What it changed it puts back if it fails."""
        self._has_schema = self._schema_is_on()
        try:
            if self.may_change:
                self._switches.switch_on(schema=self._has_schema)
            if self._has_schema:
                self._timed = self._or_noted(lambda: timed_events(self.connection), None)
                self._of_load = _OF_LOAD if self._rows(_BY_THREAD, kind="waits", of=_OF_LOAD) else ""
            self._before = self._read()
        except BaseException:
            self._switches.put_back()
            raise

    def end(self) -> CountedWaits:
        """Reads again, puts back what `begin` changed, and returns the growth."""
        assert self._before is not None, "begun"
        try:
            after = self._read()
        finally:
            self._switches.put_back()
        before = self._before
        statements = grown_statements(before.statements, after.statements)
        if _without_text(after.statements) > _without_text(before.statements):
            self.notes.append(FULL)
        return CountedWaits(
            window_ns=after.at_ns - before.at_ns,
            waits=list(_grown(before.waits, after.waits)),
            stages=list(_grown(before.stages, after.stages)),
            statements=statements,
            metrics=[
                CountedWait(name, count - before.metrics[name])
                for name, count in sorted(after.metrics.items())
                if name in before.metrics and count >= before.metrics[name]
            ],
            timed=self._timed,
        )

    @property
    def switched(self) -> int:
        """How many settings were changed for the time between."""
        return self._switches.switched

    @property
    def has_schema(self) -> bool:
        """Whether the server has performance_schema; known after `begin`."""
        return self._has_schema

    def _schema_is_on(self) -> bool:
        try:
            ((said,),) = self.connection.rows("SELECT @@GLOBAL.performance_schema")
        except ServerError as error:
            if error.code is None:
                raise
            return False
        return str(said) in ("1", "ON")

    def _read(self) -> _Reading:
        waits, stages, statements = {}, {}, StatementSums({}, {})
        if self._has_schema:
            waits = _sums(self._rows(_BY_THREAD, kind="waits", of=self._of_load))
            stages = _sums(self._rows(_BY_THREAD, kind="stages", of=self._of_load))
            statements = self._or_noted(lambda: read_statements(self.connection), statements)
        metrics = {}
        if (flag := self._or_noted(lambda: metrics_flag(self.connection), None)) is not None:
            metrics = {
                str(name): float(count)
                for name, count, kind in self.connection.rows(
                    f"SELECT NAME, COUNT, TYPE FROM {METRICS} WHERE {flag}", columns=3
                )
                if kind != "value" and not is_gauge(str(name))
            }
        return _Reading(waits, stages, statements, metrics, time.monotonic_ns())

    def _or_noted(self, read: Callable[[], Read], nothing: Read) -> Read:
        """Returns what is read; `nothing`, with a note, where the server does not show it to this account."""
        try:
            return read()
        except ServerError as error:
            if error.code not in REFUSED:
                raise
            said = f"not counted: {error.message}"
            if said not in self.notes:
                self.notes.append(said)
            return nothing

    def _rows(self, statement: str, *, kind: str, of: str) -> list[tuple[Any, ...]]:
        asked = statement.format(kind=kind, of=of)
        try:
            return self._or_noted(lambda: list(self.connection.rows(asked, columns=3)), [])
        except ServerError as error:
            if error.code not in MISSING_TABLE:
                raise
            return []


def _sums(rows: Sequence[tuple[Any, ...]]) -> _Sums:
    return {str(name): (float(count or 0), float(timer or 0)) for name, count, timer in rows}


def _grown(before: _Sums, after: _Sums) -> Iterator[CountedWait]:
    for name, (count, picoseconds) in sorted(after.items()):
        old_count, old_picoseconds = before.get(name, (0.0, 0.0))
        if count > old_count:
            yield CountedWait(name, count - old_count, max(0.0, picoseconds - old_picoseconds) / _PS_NS)


def _without_text(sums: StatementSums) -> float:
    return sums.digests.get("", {}).get("COUNT", 0.0)
