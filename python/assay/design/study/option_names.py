"""Reads the name of a server option as the variable that it sets: servers write one variable in many ways."""

from __future__ import annotations

import re

from assay.design.study.values import Scalar

_YES = frozenset(("on", "1", "true", "yes", "enable", ""))
_NO = frozenset(("off", "0", "false", "no", "disable"))
_SCOPE = re.compile(r"@@(?:(?:global|session|local|persist|persist_only)\.)?")
_NEGATIVE = ("skip_", "disable_")
# Variables, not the negation of one.
_NAMED_SO = frozenset(
    (
        *("skip_name_resolve", "skip_networking", "skip_external_locking", "skip_show_database"),
        *("skip_slave_start", "skip_replica_start", "skip_grant_tables", "skip_parallel_replication"),
        *("skip_replication", "skip_character_set_client_handshake", "skip_host_cache", "skip_stack_trace"),
        *("disable_shared_memory", "disabled_storage_engines", "disable_gtid_logging"),
    )
)


def variable_name(option: str) -> str:
    """Returns an option's or a variable's name as SHOW VARIABLES has it: `@@global.Sync-Binlog` is
    `sync_binlog`, and `loose-` is left out.
    """
    name = option.strip().lower().replace("-", "_").lstrip("_")
    return _SCOPE.sub("", name, count=1).removeprefix("loose_")


def variable_set(option: str, value: Scalar) -> tuple[str, Scalar]:
    """Returns the variable that an option sets, and its value: `skip_innodb_doublewrite` (on) is
    `innodb_doublewrite`, off.
    """
    name = variable_name(option)
    if name in _NAMED_SO:
        return name, value
    for prefix in _NEGATIVE:
        if name.startswith(prefix) and (on := switch_value(value)) is not None:
            return name.removeprefix(prefix), "OFF" if on else "ON"
    if name.startswith("enable_"):
        return name.removeprefix("enable_"), value
    return name, value


def switch_value(value: Scalar) -> bool | None:
    """Returns whether a value switches something on; None for a value that is no switch's."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _YES else False if text in _NO else None
