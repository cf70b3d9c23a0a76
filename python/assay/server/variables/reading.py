"""Reading name/value lists from a running server."""

from __future__ import annotations

from assay.server.connection import Connection


def global_variables(connection: Connection) -> dict[str, str]:
    """SHOW GLOBAL VARIABLES: name in lower case -> value as the server writes it."""
    return {name.lower(): value for name, value in _pairs(connection, "SHOW GLOBAL VARIABLES")}


def global_status(connection: Connection, like: str | None = None) -> dict[str, str]:
    """SHOW GLOBAL STATUS: name as the server writes it -> value."""
    if like is None:
        return dict(_pairs(connection, "SHOW GLOBAL STATUS"))
    return dict(_pairs(connection, "SHOW GLOBAL STATUS LIKE %s", like))


def server_version(connection: Connection) -> tuple[str, tuple[int, ...]]:
    """`10.11.6-MariaDB-log` and (10, 11, 6)."""
    found = connection.rows("SELECT VERSION()")
    text = str(found[0][0]) if found else ""
    return text, version_numbers(text)


def version_numbers(text: str) -> tuple[int, ...]:
    """(10, 11, 6) of `10.11.6-MariaDB-log`; () of nothing."""
    return tuple(int(part) for part in text.partition("-")[0].split(".") if part.isdigit())


def _pairs(connection: Connection, statement: str, *arguments: str) -> list[tuple[str, str]]:
    found = connection.rows(statement, arguments, columns=2)
    return [(str(name), "" if value is None else str(value)) for name, value, *_ in found]
