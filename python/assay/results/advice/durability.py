"""Says what the value of a server variable puts at risk: acknowledged commits, pages, what statements mean.

What is on no list is *not known*, never harmless; so is a value that a listed variable may not have. Sources:
MySQL reference manual, "InnoDB Startup Options and System Variables", "Server System Variables", "Binary
Logging Options and Variables"; MariaDB, "Server System Variables", "Aria System Variables"; MyRocks,
rocksdb_flush_log_at_trx_commit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from assay.base.decoding import whole_number
from assay.design.study import switch_value, variable_kind, variable_set

Risk = Literal[
    "commits-server",
    "commits-machine",
    "binlog",
    "torn-pages",
    "unsynced",
    "undetected",
    "no-binlog",
    "integrity",
    "access",
    "not-known",
]
"""What can be lost, and when: acknowledged commits when the server or only when the machine goes down; their
binary log; whole pages; data that was never synced; the notice of damage; recovery to a point in time; what
statements, transactions or tables promise; the guard of who may connect and write; what nobody has said.
"""
RISKS: tuple[str, ...] = get_args(Risk)
WITHHELD: frozenset[str] = frozenset(("integrity", "access", "not-known"))
"""Risks that no measurement of speed weighs: a setting that has one is shown, but never advised."""
Durability = Literal["unaffected", "full"] | Risk
"""The durability class of a setting; `full`: another value of the variable would put something at risk."""

_NOTHING: tuple[Risk, ...] = ()
_NOT_KNOWN: tuple[Risk, ...] = ("not-known",)
_Rule = Callable[[str], tuple[Risk, ...]]


def _words(safe: str = "", **named: str) -> _Rule:
    """Returns the rule of a variable with named values: those that are `safe`, and those of each risk; any
    other value is not known.
    """
    known: dict[str, list[Risk]] = {word: [] for word in safe.split()}
    for risk in get_args(Risk):
        for word in named.get(risk.replace("-", "_"), "").split():
            known.setdefault(word, []).append(risk)
    return lambda value: tuple(known.get(value.replace("-", "_"), _NOT_KNOWN))


def _switch(*, on: Risk | None = None, off: Risk | None = None, safe: str = "", **named: str) -> _Rule:
    """Returns the rule of a switch, which may have other values with names."""
    other = _words(safe, **named)

    def rule(value: str) -> tuple[Risk, ...]:
        switched = switch_value(value)
        if switched is None:
            return other(value)
        risk = on if switched else off
        return (risk,) if risk else _NOTHING

    return rule


def _log_bin(value: str) -> tuple[Risk, ...]:
    """Returns the risks of a switch that also takes the name of a file."""
    return ("no-binlog",) if switch_value(value) is False else _NOTHING


def _at_most_one(risk: Risk) -> _Rule:
    """Returns the rule of a number of seconds or commits that one flush is for; 0 leaves it to the kernel."""
    return lambda value: {None: _NOT_KNOWN, 1: _NOTHING}.get(whole_number(value), (risk,))


_STRICT = frozenset(("strict_trans_tables", "strict_all_tables", "traditional"))
_USUAL_MODES = _STRICT | frozenset(
    (
        *("error_for_division_by_zero", "no_zero_date", "no_zero_in_date", "no_auto_create_user"),
        *("no_engine_substitution", "only_full_group_by"),
    )
)


def _sql_mode(value: str) -> tuple[Risk, ...]:
    """Returns the risks of modes: without a strict one, wrong values are stored; others change statements."""
    modes = {mode.strip() for mode in value.split(",") if mode.strip()}
    return _NOTHING if modes & _STRICT and modes <= _USUAL_MODES else ("integrity",)


_FLUSH_AT_COMMIT = _words("1 3", commits_server="0", commits_machine="0 2")
_CHECKED = _switch(off="undetected")
_KEPT_RULE = _switch(off="integrity")
_ENGINE = _words("innodb xtradb rocksdb", integrity="myisam aria memory heap csv archive blackhole merge")
_ISOLATION = _words("repeatable_read serializable", integrity="read_committed read_uncommitted")

_RISKS: Mapping[str, _Rule] = {
    "innodb_flush_log_at_trx_commit": _FLUSH_AT_COMMIT,
    "innodb_flush_log_at_timeout": _at_most_one("commits-machine"),
    "rocksdb_flush_log_at_trx_commit": _FLUSH_AT_COMMIT,
    "aria_group_commit": _words("none hard", commits_machine="soft"),
    "sync_binlog": _at_most_one("binlog"),
    "innodb_support_xa": _switch(off="binlog"),
    "log_bin": _log_bin,
    "sql_log_bin": _log_bin,
    "binlog_format": _words("row mixed", integrity="statement"),
    "binlog_checksum": _words("crc32", undetected="none"),
    "innodb_doublewrite": _switch(off="torn-pages", safe="detect_and_recover", torn_pages="detect_only"),
    # Numbers of the first six values are those of every version that takes numbers.
    "innodb_flush_method": _words(
        "0 1 4 fsync fdatasync o_dsync o_direct all_o_direct normal unbuffered async_unbuffered",
        unsynced="2 3 5 littlesync nosync o_direct_no_fsync",
    ),
    "sync_frm": _switch(off="unsynced"),
    "innodb_checksums": _CHECKED,
    "innodb_log_checksums": _CHECKED,
    "innodb_checksum_algorithm": _words(
        "crc32 strict_crc32 innodb strict_innodb full_crc32 strict_full_crc32",
        undetected="none strict_none",
    ),
    "innodb_force_recovery": _words("0", integrity="1 2 3 4 5 6"),
    "delay_key_write": _switch(integrity="all"),
    # what statements and transactions mean
    "autocommit": _KEPT_RULE,
    "foreign_key_checks": _KEPT_RULE,
    "unique_checks": _KEPT_RULE,
    "check_constraint_checks": _KEPT_RULE,
    "innodb_strict_mode": _KEPT_RULE,
    "innodb_table_locks": _KEPT_RULE,
    "innodb_snapshot_isolation": _KEPT_RULE,
    "innodb_locks_unsafe_for_binlog": _switch(on="integrity"),
    "sql_mode": _sql_mode,
    "transaction_isolation": _ISOLATION,
    "tx_isolation": _ISOLATION,
    "completion_type": _words("0 no_chain", integrity="1 2 chain release"),
    "default_storage_engine": _ENGINE,
    "storage_engine": _ENGINE,
    "enforce_storage_engine": _ENGINE,
    "lower_case_table_names": lambda _: ("integrity",),
}
_OF_KIND: Mapping[str, tuple[Risk, ...]] = {
    **dict.fromkeys(("speed", "notice", "limit", "layout"), _NOTHING),
    "meaning": ("integrity",),
    "access": ("access",),
}


def _risks_of(name: str, value: str) -> tuple[Risk, ...]:
    variable, setting = variable_set(name, value)
    if rule := _RISKS.get(variable):
        return rule(str(setting).strip().lower())
    return _OF_KIND.get(variable_kind(name), _NOT_KNOWN)


def risks(settings: Mapping[str, str]) -> tuple[Risk, ...]:
    """Returns everything that settings put at risk, each risk once."""
    return tuple(dict.fromkeys(risk for name, value in settings.items() for risk in _risks_of(name, value)))


def durability(settings: Mapping[str, str]) -> tuple[Durability, ...]:
    """Returns the durability classes of settings: their risks, or else one class without a risk.

    Commits that a crash of the server loses are also lost when the machine goes down: one class says both.
    """
    found = risks(settings)
    if "commits-server" in found:
        found = tuple(one for one in found if one != "commits-machine")
    weighed = any(variable_set(name, value)[0] in _RISKS for name, value in settings.items())
    return found or (("full",) if weighed else ("unaffected",))
