"""Reads variables, status and version of a running server."""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.decoding import whole_number
from assay.base.errors import ServerError
from assay.system.server.connection import Connection
from assay.system.server.flavour import UNKNOWN, Flavour, flavour_of

MOVING_VARIABLES = ("gtid_", "timestamp", "innodb_buffer_pool_load_", "innodb_monitor_")
"""Prefixes of variables that change by themselves, with the load."""


def global_variables(connection: Connection) -> dict[str, str]:
    """Returns SHOW GLOBAL VARIABLES: values as the server writes them, by name in lower case."""
    return {name.lower(): value for name, value in _pairs(connection, "SHOW GLOBAL VARIABLES")}


def session_variables(connection: Connection) -> dict[str, str]:
    """Returns SHOW SESSION VARIABLES: values of this connection, by name in lower case."""
    return {name.lower(): value for name, value in _pairs(connection, "SHOW SESSION VARIABLES")}


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


_OF_SERVERS = frozenset(("innodb_buffer_pool_size", "key_buffer_size"))
"""Variables that MySQL and MariaDB have in every version, others need not."""


@dataclass(frozen=True)
class ServerIdentity:
    """What a running server is: its flavour, and its version as text and as numbers. `unread` says what could
    not be read of it, so that its flavour is not known.
    """

    flavour: Flavour
    version_text: str
    version: tuple[int, ...]
    unread: str = ""


def server_identity(connection: Connection) -> ServerIdentity:
    """Returns what the server at the other end is."""
    text, numbers = server_version(connection)
    try:
        variables = global_variables(connection)
    except ServerError as error:
        if error.code is None:  # not the server's own refusal
            raise
        return ServerIdentity(UNKNOWN, text, numbers, f"SHOW GLOBAL VARIABLES: {error.message}")
    if not variables.keys() & _OF_SERVERS:
        return ServerIdentity(UNKNOWN, text, numbers, f"it has neither {' nor '.join(sorted(_OF_SERVERS))}")
    return ServerIdentity(flavour_of(text, variables), text, numbers)


def version_numbers(text: str) -> tuple[int, ...]:
    """Returns the numbers of a version: (10, 11, 6) for `10.11.6-MariaDB-log`; () for an empty text."""
    parts = map(whole_number, text.partition("-")[0].split("."))
    return tuple(part for part in parts if part is not None)


def _pairs(connection: Connection, statement: str, *arguments: str) -> list[tuple[str, str]]:
    found = connection.rows(statement, arguments, columns=2)
    return [(str(name), "" if value is None else str(value)) for name, value, *_ in found]
