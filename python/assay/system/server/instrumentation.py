"""Switches on what a server can measure of itself, and puts everything back as it was.

Most of it is off in all versions, since it costs the server time. Which names a version has, the server says
itself. Source: manuals of MySQL 5.5 to 9.7 and MariaDB 10.1 to 11.8, "Performance Schema Instrument Naming
Conventions", "INNODB_METRICS".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.errors import ServerError
from assay.system.server.connection import Connection

INSTRUMENTS = ("wait/%", "stage/%")
"""Patterns of instruments to switch on: those of latches and conditions are off in all versions."""
CONSUMERS = (
    "global_instrumentation",
    "thread_instrumentation",
    "events_waits_current",
    "events_stages_current",
    "events_statements_current",
    "statements_digest",
    "events_statements_cpu",  # MySQL 8.0.28 and newer: without it SUM_CPU_TIME is 0
)
"""Consumers to switch on, of those that a version has."""

_OF_COUNTS = ("global_instrumentation", "thread_instrumentation")
"""Consumers without which no event is counted by thread."""

METRICS = "information_schema.INNODB_METRICS"
_BY_MODULE = ("buffer_page_read_", "buffer_page_written_")
"""Prefixes of metrics that can be switched with all of their module alone; nothing here asks for them."""


@dataclass
class Instrumentation:
    """The switches of performance_schema and INNODB_METRICS of one server, over one connection.

    `switched`: how many settings have been changed.
    """

    connection: Connection
    switched: int = 0
    _undo: list[tuple[str, tuple[object, ...]]] = field(default_factory=list)
    _metrics_found: set[str] | None = None

    def switch_on(self, *, schema: bool) -> None:
        """Switches on what is off; `schema`: the server has performance_schema. `put_back` must follow."""
        self._metrics_found = set(self._metrics(on=True))
        if schema:
            self._consumers()
            self._instruments()
        for name in self._metrics(on=False):
            if not name.startswith(_BY_MODULE):
                self._undo.append(("SET GLOBAL innodb_monitor_disable = %s", (name,)))
                self.connection.rows("SET GLOBAL innodb_monitor_enable = %s", (name,), columns=0)
                self.switched += 1

    def _consumers(self) -> None:
        listed = ", ".join("%s" for _ in CONSUMERS)
        off = self.connection.rows(
            "SELECT NAME FROM performance_schema.setup_consumers"
            f" WHERE ENABLED = 'NO' AND NAME IN ({listed})",
            CONSUMERS,
        )
        for (name,) in off:
            switch = "UPDATE performance_schema.setup_consumers SET ENABLED = %s WHERE NAME = %s"
            self._undo.append((switch, ("NO", str(name))))
            self.connection.rows(switch, ("YES", str(name)), columns=0)
            self.switched += 1

    def _instruments(self) -> None:
        """Switches on the instruments, and notes each state that was found."""
        like = " OR ".join("NAME LIKE %s" for _ in INSTRUMENTS)
        found = self.connection.rows(
            "SELECT NAME, ENABLED, TIMED FROM performance_schema.setup_instruments"
            f" WHERE ({like}) AND NOT (ENABLED = 'YES' AND TIMED = 'YES')",
            INSTRUMENTS,
            columns=3,
        )
        states: dict[tuple[str, str], list[str]] = {}
        for name, enabled, timed in found:
            states.setdefault((str(enabled), str(timed or "NO")), []).append(str(name))
        for (enabled, timed), names in states.items():
            listed = ", ".join("%s" for _ in names)
            self._undo.append(
                (
                    "UPDATE performance_schema.setup_instruments SET ENABLED = %s, TIMED = %s"
                    f" WHERE NAME IN ({listed})",
                    (enabled, timed, *names),
                )
            )
        if found:
            self.connection.rows(
                "UPDATE performance_schema.setup_instruments SET ENABLED = 'YES', TIMED = 'YES'"
                f" WHERE {like}",
                INSTRUMENTS,
                columns=0,
            )
            self.switched += len(found)

    def _metrics(self, *, on: bool) -> list[str]:
        """Returns the names of InnoDB's metrics that are on, or off."""
        if (flag := metrics_flag(self.connection)) is None:
            return []
        rows = self.connection.rows(f"SELECT NAME, {flag} FROM {METRICS}", columns=2)
        return [str(name) for name, is_on in rows if bool(is_on) == on]

    def put_back(self) -> None:
        """Puts every changed setting back; may be called again. Raises ServerError or ServerLost, also where
        the server has kept a metric on.
        """
        while self._undo:
            statement, arguments = self._undo[-1]
            self.connection.rows(statement, arguments, columns=0)
            self._undo.pop()
        kept = set(self._metrics(on=True)) - self._metrics_found if self._metrics_found is not None else set()
        if kept:
            names = ", ".join(sorted(kept)[:3])
            raise ServerError(
                f"the server has not switched off {len(kept)} of its InnoDB metrics again, such as {names}",
                hint="restart the server",
            )


def timed_events(connection: Connection) -> list[str]:
    """Returns the waits and stages that performance_schema counts and times, sorted; none where the consumers
    of the counts are off.
    """
    consumers = ", ".join(f"'{name}'" for name in _OF_COUNTS)
    off = connection.rows(
        f"SELECT NAME FROM performance_schema.setup_consumers WHERE ENABLED = 'NO' AND NAME IN ({consumers})"
    )
    if off:
        return []
    like = " OR ".join("NAME LIKE %s" for _ in INSTRUMENTS)
    found = connection.rows(
        "SELECT NAME FROM performance_schema.setup_instruments"
        f" WHERE ENABLED = 'YES' AND TIMED = 'YES' AND ({like} OR NAME = 'idle')",
        INSTRUMENTS,
    )
    return sorted(str(name) for (name,) in found)


REFUSED = frozenset({1142, 1227})
"""Errors of a server that does not show a table to this account."""


def metrics_flag(connection: Connection) -> str | None:
    """Returns the condition for a metric of InnoDB that is on; None where the server has no such table.

    Raises ServerError where it does not show it to this account.
    """
    try:
        columns = columns_of(connection, METRICS)
    except ServerError as error:
        if error.code is None or error.code in REFUSED:
            raise
        return None
    return "ENABLED = 1" if "ENABLED" in columns else "STATUS = 'enabled'"


def columns_of(connection: Connection, table: str) -> set[str]:
    """Returns the names of a table's columns, in capitals. Raises ServerError where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 0")
        return {str(column[0]).upper() for column in cursor.description or ()}
