"""Refuses values that a server takes one by one and under which it refuses every write."""

from __future__ import annotations

from collections.abc import Mapping

from assay.base.errors import InputError
from assay.design.study import Scalar, option_text
from assay.system.server.variables.catalogue import plain

_OFF = ("off", "0", "false")
_LOOSE = ("read-committed", "read-uncommitted", "0", "1")
"""Isolation levels under which statements cannot be repeated from a log of statements; numbers are those of
the option.
"""


def check_writing(variables: Mapping[str, Scalar]) -> None:
    """Raises InputError for a binary log of statements under an isolation level for which InnoDB refuses
    every write (error 1665).
    """
    given = {plain(name): option_text(value).lower().replace(" ", "-") for name, value in variables.items()}
    names = [name for name in ("transaction_isolation", "tx_isolation") if name in given]
    logs = given.get("log_bin", "off") not in _OFF and given.get("binlog_format") in ("statement", "1")
    if not logs or not names or given[names[0]] not in _LOOSE:
        return
    isolation = names[0]
    raise InputError(
        f"server.variables.binlog_format = {given['binlog_format'].upper()} cannot be combined with"
        f" {isolation} = {given[isolation].upper()}: InnoDB refuses every write (error 1665)",
        hint='set binlog_format to "ROW" or "MIXED", or the isolation to "REPEATABLE-READ"',
    )
