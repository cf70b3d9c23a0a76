"""Reads variables, status and version of a running server."""

from __future__ import annotations

from assay.server.connection import Connection


def global_variables(connection: Connection) -> dict[str, str]:
    """Returns SHOW GLOBAL VARIABLES: values as the server writes them, by name in lower case."""
    return {name.lower(): value for name, value in _pairs(connection, "SHOW GLOBAL VARIABLES")}


def global_status(connection: Connection, like: str | None = None) -> dict[str, str]:
    """Returns SHOW GLOBAL STATUS: values by name as the server writes it."""
    if like is None:
        return dict(_pairs(connection, "SHOW GLOBAL STATUS"))
    return dict(_pairs(connection, "SHOW GLOBAL STATUS LIKE %s", like))


def server_version(connection: Connection) -> tuple[str, tuple[int, ...]]:
    """Returns the version as text and as numbers: `10.11.6-MariaDB-log` and (10, 11, 6)."""
    found = connection.rows("SELECT VERSION()")
    text = str(found[0][0]) if found else ""
    return text, version_numbers(text)


def version_numbers(text: str) -> tuple[int, ...]:
    """Returns the numbers of a version: (10, 11, 6) for `10.11.6-MariaDB-log`; () for an empty text."""
    return tuple(int(part) for part in text.partition("-")[0].split(".") if part.isdigit())


def _pairs(connection: Connection, statement: str, *arguments: str) -> list[tuple[str, str]]:
    found = connection.rows(statement, arguments, columns=2)
    return [(str(name), "" if value is None else str(value)) for name, value, *_ in found]
