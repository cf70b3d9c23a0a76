"""Computes the joint effect of several variables, as one text that can be compared.

Each function takes SHOW GLOBAL VARIABLES, by names in lower case. A variable that a server does not have
counts as what that server does without it. Facts: the manuals of MySQL 5.5 to 9.7, MariaDB 10.1 to 11.4.
"""

from __future__ import annotations

from collections.abc import Mapping

from assay.results.verdict.fairness.spelling import character_set, isolation, size, switch

Variables = Mapping[str, str]

#: Bytes that MySQL 8.0.30 to 9.2 shows when none is set: the new variable, the two old ones multiplied.
DEFAULT_CAPACITY, DEFAULT_FILES = 100 << 20, 96 << 20


def is_on(variables: Variables, name: str) -> bool:
    """Returns True when the variable exists and is on."""
    return switch(variables.get(name, "off")) == "on"


def binary_log(variables: Variables) -> str:
    """Returns `off`, or `on` with the format; a server without the choice writes rows."""
    return f"on, {variables.get('binlog_format', 'ROW').upper()}" if is_on(variables, "log_bin") else "off"


def binary_log_sync(variables: Variables) -> str:
    """Returns how many commits share a flush; without a binary log the variable has no effect."""
    return variables.get("sync_binlog", "0") if is_on(variables, "log_bin") else "no binary log"


def doublewrite(variables: Variables) -> str:
    """Returns whether the doublewrite buffer is on; `DETECT_AND_RECOVER`, in MySQL since 8.0.30, also means
    on.
    """
    found = switch(variables.get("innodb_doublewrite", "off"))
    return "on" if found == "detect_and_recover" else found


def flush_method(variables: Variables) -> str:
    """Returns how data files are written; an empty value was the name of fsync before MySQL 8 and MariaDB
    10.3.

    MariaDB 11 decides by two switches (MDEV-30136) and still shows innodb_flush_method, which sets them at
    the start only.
    """
    if "innodb_data_file_buffering" in variables:
        if is_on(variables, "innodb_data_file_write_through"):
            return "o_dsync"
        return "fsync" if is_on(variables, "innodb_data_file_buffering") else "o_direct"
    found = variables.get("innodb_flush_method", "").lower()
    return "fsync" if found in ("", "fdatasync") else found


def redo_capacity(variables: Variables) -> str:
    """Returns the bytes of all redo log files together.

    MySQL from 8.0.30 to 9.2 has old and new variables: the old ones count while the new one is not set.
    """
    capacity = variables.get("innodb_redo_log_capacity")
    one, many = variables.get("innodb_log_file_size", ""), variables.get("innodb_log_files_in_group", "1")
    files = int(one) * int(many) if one.isdecimal() and many.isdecimal() else None
    if capacity is None:
        return "none" if files is None else size(str(files))
    old_ones_count = capacity == str(DEFAULT_CAPACITY) and files not in (None, DEFAULT_FILES)
    return size(str(files)) if old_ones_count else size(capacity)


def query_cache(variables: Variables) -> str:
    """Returns the query cache's size; `off` when there is none, when it is switched off or has no room."""
    kind = switch(variables.get("query_cache_type", "off"))
    room = variables.get("query_cache_size", "0")
    compiled_in = switch(variables.get("have_query_cache", "yes")) == "on"
    if not compiled_in or kind == "off" or room == "0":
        return "off"
    return f"{'on demand' if kind in ('demand', '2') else 'on'}, {size(room)}"


def tls(variables: Variables) -> str:
    """Returns whether TLS is offered to clients. MySQL 8.4 has no have_ssl: there TLS needs a certificate and
    a protocol.
    """
    if "have_ssl" in variables:
        return "on" if is_on(variables, "have_ssl") else "off"
    offered = variables.get("ssl_cert") and "tlsv1" in variables.get("tls_version", "").lower()
    return "on" if offered else "off"


def isolation_level(variables: Variables) -> str:
    """Returns the isolation level; MariaDB's innodb_snapshot_isolation changes REPEATABLE-READ, where writers
    then meet conflicts.
    """
    level = isolation(variables.get("transaction_isolation") or variables.get("tx_isolation") or "none")
    snapshot = level == "REPEATABLE-READ" and is_on(variables, "innodb_snapshot_isolation")
    return f"{level}, snapshot" if snapshot else level


def collation(variables: Variables) -> str:
    """Returns character set and collation: `utf8mb4, utf8mb4_0900_ai_ci`."""
    both = (variables.get("character_set_server", "none"), variables.get("collation_server", "none"))
    return ", ".join(map(character_set, both))
