"""Sets variables on a running server (SET GLOBAL), and reads them back."""

from __future__ import annotations

import time
from collections.abc import Mapping
from decimal import Decimal

from assay.base.errors import ServerError
from assay.design.folder import Scalar
from assay.design.study import number, option_text, same_value
from assay.system.server.connection import Connection
from assay.system.server.flavour import Flavour
from assay.system.server.quoting import quoted_name
from assay.system.server.variables.catalogue import plain
from assay.system.server.variables.check import check_in_force, may_number
from assay.system.server.variables.reading import global_variables
from assay.system.server.variables.translate import name_there

KEY = "server.dynamic."

_RESIZED = frozenset(
    ("innodb_buffer_pool_size", "innodb_log_file_size", "innodb_redo_log_capacity")
)  # in the background: until then the server may show the old size
_SETTLE_S = 60.0

READ_ONLY = 1238
"""The server's error for a variable that only a start sets."""
_WRONG_TYPE = 1232


def set_running(
    flavour: Flavour, connection: Connection, wanted: Mapping[str, Scalar], where: str
) -> dict[str, str]:
    """Sets variables in the study's order, and returns the values in force by name.

    Open sessions keep the values they began with. Raises ServerError, in the server's own words, when a
    variable cannot be set at run time, or the server refuses the value or takes another.
    """
    there = _by_name(flavour, connection, wanted)
    for name, value in there.items():
        _set(connection, name, value)
    deadline = time.monotonic() + _SETTLE_S
    while True:
        actual = global_variables(connection)
        waiting = [name for name, value in there.items() if not same_value(value, actual.get(name, ""))]
        if not _RESIZED.intersection(waiting) or time.monotonic() > deadline:
            break
        time.sleep(0.1)
    return check_in_force(
        wanted,
        actual,
        where=f"{where}, set while it runs",
        is_numbered=lambda _, asked, have: may_number(asked, have),  # the server itself has taken the number
    )


def try_running(flavour: Flavour, connection: Connection, wanted: Mapping[str, Scalar], where: str) -> None:
    """Sets variables on a server that is not measured, reads them back, and restores the values it had."""
    before = global_variables(connection)
    set_running(flavour, connection, wanted, where)
    for name in _by_name(flavour, connection, wanted):
        _set(connection, name, before[name])


def _by_name(flavour: Flavour, connection: Connection, wanted: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns the wanted values by the names of variables, which may differ from those of options."""
    known = global_variables(connection)
    return {
        name_there(flavour, name, known.__contains__) or plain(name): value for name, value in wanted.items()
    }


def _set(connection: Connection, name: str, value: Scalar) -> None:
    text = option_text(value)
    size = number(text)
    forms: list[str | Decimal] = [text] if size is None else [size, text]
    with connection.cursor() as cursor:
        for form in forms:
            try:
                cursor.execute(f"SET GLOBAL {quoted_name(name)} = %s", (form,))
            except ServerError as error:
                if error.code == _WRONG_TYPE and form is not forms[-1]:
                    continue  # a text that looks like a number
                raise ServerError(
                    f"{KEY}{name} = {text}: {error.message}",
                    hint=f"server.variables.{name} sets it at the start" if error.code == READ_ONLY else None,
                    code=error.code,
                ) from error
            return
