"""The sampler of a server's own counters: SHOW GLOBAL STATUS, the enabled rows of INNODB_METRICS, and waits.

Names are the server's; those of counters end in `_total`, the rest are gauges (`gauges.py` says which).
"""

from __future__ import annotations

from typing import Any

from assay.base.errors import AssayError, ServerError, ServerLost
from assay.system.server.connection import Connection
from assay.system.server.gauges import is_gauge
from assay.system.server.waits import Waits

_METRICS_COLUMNS = "SELECT * FROM information_schema.INNODB_METRICS LIMIT 0"
# Hundreds of names that no experiment of ours asks for, each second.
_LEFT_OUT = ("Performance_schema_", "Ssl_", "wsrep_", "Rpl_semi_sync_", "Slave", "Mysqlx_")


class StatusSource:
    """Source `status`: the server's counters and gauges. It needs a connection of its own with a read
    timeout, and one thread at a time.

    `_assay_statements_total` counts the statements of this source, to be subtracted from the server's own
    count. Cost: some 3 ms of CPU in this process for 600 values.
    """

    name = "status"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._statements = 0
        self._metrics = self._metrics_statement()
        self._waits = Waits(connection)

    def read(self) -> dict[str, float]:
        """Returns values by name. Raises ServerLost when the server has gone, ServerError when only this
        reading is lost.
        """
        try:
            values = self._status()
            if self._metrics:
                values |= self._innodb_metrics(self._metrics)
            values |= self._waits.read()
        except (ServerError, ServerLost) as error:
            self._reconnect()
            raise ServerError(f"status reading lost: {error.message}") from error
        values["_assay_statements_total"] = float(self._statements + self._waits.statements)
        return values

    def close(self) -> None:
        self._connection.close()

    def _reconnect(self) -> None:
        """Connects again, since a server that stalls longer than the read timeout may still be there."""
        try:
            self._connection.connect()
        except AssayError as error:
            raise ServerLost(f"the server no longer answers the status sampler: {error.message}") from error

    def _status(self) -> dict[str, float]:
        values = {}
        for name, text, *_ in self._query("SHOW GLOBAL STATUS", columns=2):
            if str(name).startswith(_LEFT_OUT):
                continue
            try:
                value = float(text)
            except (TypeError, ValueError):
                continue
            values[name if is_gauge(name) else f"{name}_total"] = value
        return values

    def _innodb_metrics(self, statement: str) -> dict[str, float]:
        return {
            (name if kind == "value" or is_gauge(name) else f"{name}_total"): float(count)
            for name, count, kind, *_ in self._query(statement, columns=3)
        }

    def _metrics_statement(self) -> str | None:
        """Returns the query of enabled InnoDB metrics: MySQL has STATUS = 'enabled', newer MariaDB ENABLED =
        1, old servers no such table.
        """
        try:
            with self._connection.cursor() as cursor:
                self._statements += 1
                cursor.execute(_METRICS_COLUMNS)
                columns = {column[0].upper() for column in cursor.description or ()}
        except ServerError:
            return None
        enabled = "ENABLED = 1" if "ENABLED" in columns else "STATUS = 'enabled'"
        return f"SELECT NAME, COUNT, TYPE FROM information_schema.INNODB_METRICS WHERE {enabled}"

    def _query(self, statement: str, *, columns: int) -> list[tuple[Any, ...]]:
        self._statements += 1
        return self._connection.rows(statement, columns=columns)
