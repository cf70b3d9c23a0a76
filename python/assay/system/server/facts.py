"""Reads facts about a running server: version, variables, engines, plugins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.base.errors import ServerError
from assay.system.server.connection import Connection
from assay.system.server.variables.reading import global_variables, server_version

# Who set a variable: MariaDB and MySQL keep it in different tables. A default is not worth a line.
_ORIGINS = (
    "SELECT LOWER(VARIABLE_NAME), GLOBAL_VALUE_ORIGIN FROM information_schema.SYSTEM_VARIABLES"
    " WHERE GLOBAL_VALUE_ORIGIN NOT IN ('COMPILE-TIME') AND GLOBAL_VALUE_ORIGIN IS NOT NULL",
    "SELECT LOWER(VARIABLE_NAME), VARIABLE_SOURCE FROM performance_schema.variables_info"
    " WHERE VARIABLE_SOURCE <> 'COMPILED'",
)

_WAIT_INSTRUMENTS = (
    "SELECT NAME, ENABLED FROM performance_schema.setup_instruments"
    " WHERE NAME LIKE 'wait/%' AND ENABLED = 'YES'"
)


def server_facts(connection: Connection) -> dict[str, object]:
    """Returns `version`, `variables` (name and value as text), `variable_origins` (only those that something
    set), `engines` (name and DEFAULT, YES, NO or DISABLED), `plugins` (name and version) of those that are
    active, and `wait_instruments`, the kinds of waits that performance_schema counts (0 where it is off).
    """
    text, _ = server_version(connection)
    variables = global_variables(connection)
    facts: dict[str, object] = {
        "version": text,
        "version_comment": variables.get("version_comment", ""),
        "compile_machine": variables.get("version_compile_machine", ""),
        "variables": variables,
        "engines": {str(row[0]): str(row[1]) for row in _rows(connection, "SHOW ENGINES")},
    }
    origins = next((rows for statement in _ORIGINS if (rows := _rows(connection, statement))), ())
    if origins:
        facts["variable_origins"] = {str(name): str(origin) for name, origin in origins}
    plugins = _rows(
        connection,
        "SELECT PLUGIN_NAME, PLUGIN_VERSION FROM information_schema.PLUGINS"
        " WHERE PLUGIN_STATUS = 'ACTIVE' AND PLUGIN_TYPE <> 'INFORMATION SCHEMA'",
    )
    facts["wait_instruments"] = _wait_instruments(connection, variables)
    if plugins:
        facts["plugins"] = {str(name): str(version) for name, version in plugins}
    return facts


def _wait_instruments(connection: Connection, variables: Mapping[str, str]) -> int:
    if variables.get("performance_schema") != "ON":
        return 0
    return len(_rows(connection, _WAIT_INSTRUMENTS))


def _rows(connection: Connection, statement: str) -> Sequence[Sequence[object]]:
    """Returns the rows of a statement; empty when the server lacks the table or does not show it to this
    user.
    """
    try:
        return connection.rows(statement, columns=2)
    except ServerError as error:
        if error.code is None:  # not the server's own refusal
            raise
        return ()
