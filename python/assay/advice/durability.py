"""Says what the value of a server variable puts at risk.

Sources: MySQL reference manual, "InnoDB Startup Options and System Variables", "Binary Logging Options and
Variables"; MyRocks, rocksdb_flush_log_at_trx_commit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

Risk = Literal[
    "commits-server", "commits-machine", "binlog", "torn-pages", "unsynced", "undetected", "no-binlog"
]
"""What can be lost, and when: acknowledged commits when the server or only when the machine goes down; their
binary log; whole pages; data that was never synced; the notice of damage; recovery to a point in time.
"""
RISKS: tuple[str, ...] = get_args(Risk)
Durability = Literal["unaffected", "full"] | Risk
"""The durability class of a setting; `full`: another value of the variable would put something at risk."""

_NOTHING: tuple[Risk, ...] = ()
_OFF = ("off", "0", "false")


def _commits(value: str) -> tuple[Risk, ...]:
    """Returns the risks of a redo log that is written or flushed once a second; 3 is MariaDB's."""
    risks: Mapping[str, tuple[Risk, ...]] = {
        "0": ("commits-server", "commits-machine"),
        "2": ("commits-machine",),
    }
    return risks.get(value, _NOTHING)


def _switched_off(risk: Risk, *others: str) -> Callable[[str], tuple[Risk, ...]]:
    """Returns the risks of a switch that protects, with the other values that do not."""
    return lambda value: (risk,) if value in (*_OFF, *others) else _NOTHING


_RISKS: Mapping[str, Callable[[str], tuple[Risk, ...]]] = {
    "innodb_flush_log_at_trx_commit": _commits,
    "rocksdb_flush_log_at_trx_commit": _commits,
    "sync_binlog": lambda value: _NOTHING if value == "1" else ("binlog",),
    "innodb_support_xa": _switched_off("binlog"),
    "log_bin": _switched_off("no-binlog"),
    "innodb_doublewrite": _switched_off("torn-pages", "detect_only"),
    "innodb_flush_method": lambda value: (
        ("unsynced",) if value in ("nosync", "littlesync", "o_direct_no_fsync") else _NOTHING
    ),
    "innodb_checksums": _switched_off("undetected"),
    "innodb_checksum_algorithm": lambda value: ("undetected",) if value == "none" else _NOTHING,
    "innodb_log_checksums": _switched_off("undetected"),
}


def risks(settings: Mapping[str, str]) -> tuple[Risk, ...]:
    """Returns everything that settings put at risk, each risk once."""
    found = [
        risk for name, value in settings.items() if name in _RISKS for risk in _RISKS[name](value.lower())
    ]
    return tuple(dict.fromkeys(found))


def durability(settings: Mapping[str, str]) -> tuple[Durability, ...]:
    """Returns the durability classes of settings: their risks, or else one class without a risk.

    Commits that a crash of the server loses are also lost when the machine goes down: one class says both.
    """
    found = risks(settings)
    if "commits-server" in found:
        found = tuple(one for one in found if one != "commits-machine")
    return found or (("full",) if settings.keys() & _RISKS.keys() else ("unaffected",))
