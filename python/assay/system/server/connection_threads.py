"""Finds the threads of the kernel that serve a server's connections, and what they wait for, as far as the
server says.
"""

from __future__ import annotations

from contextlib import suppress

from assay.base.errors import ServerError
from assay.system.server.connection import Connection

CLIENT, ROW_LOCK, TABLE_LOCK = "client", "row lock", "table lock"

_QUERIES = (
    # MariaDB 10.0.5 and newer, with performance_schema or without
    "SELECT TID, ID, DB, COMMAND, STATE FROM information_schema.PROCESSLIST"
    " WHERE ID <> CONNECTION_ID() AND TID > 0",
    # MySQL 5.7 and newer
    "SELECT THREAD_OS_ID, PROCESSLIST_ID, PROCESSLIST_DB, PROCESSLIST_COMMAND, PROCESSLIST_STATE"
    " FROM performance_schema.threads WHERE NAME = 'thread/sql/one_connection'"
    " AND PROCESSLIST_ID <> CONNECTION_ID() AND THREAD_OS_ID IS NOT NULL",
)
_IN_LOCK_WAIT = "SELECT trx_mysql_thread_id FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'"


def connection_threads(connection: Connection) -> dict[int, str]:
    """Returns the threads of the load's connections, each with what it waits for: CLIENT, ROW_LOCK,
    TABLE_LOCK, or "" where the server does not say. Empty where it does not even say which they are.

    The lab's own connections have no database, and those of a load have one; where no connection has one, all
    but this one are returned.
    """
    for query in _QUERIES:
        try:
            rows = connection.rows(query, columns=5)
        except ServerError as error:
            if error.code is None:  # not the server's own refusal
                raise
            continue
        if rows:
            of_load = [row for row in rows if row[2] is not None] or rows
            blocked = _in_lock_wait(connection)
            return {
                int(tid): ROW_LOCK if number in blocked else _wait(str(command), str(state))
                for tid, number, _, command, state in of_load
            }
    return {}


def _in_lock_wait(connection: Connection) -> set[int]:
    with suppress(ServerError):
        return {int(number) for (number,) in connection.rows(_IN_LOCK_WAIT)}
    return set()


def _wait(command: str, state: str) -> str:
    if command == "Sleep":
        return CLIENT
    return TABLE_LOCK if state.startswith("Waiting for ") and "lock" in state else ""
