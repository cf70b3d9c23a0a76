"""The subjects in which servers must be equal for a comparison to be fair, as data.

A new subject is an entry of SUBJECTS. Its name for people and the sentence that says why it matters are in
the report's words, under [subject] and [why], in every language. Limits that no load reaches, such as
max_connections, are left out: they cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.design.study import RULED_FLAVOURS
from assay.results.verdict.fairness import effective
from assay.results.verdict.fairness.effective import Variables
from assay.results.verdict.fairness.spelling import modes, size, switch

FLAVOUR = "server.flavour"
"""The key of a server's flavour among its variables; without it, it is one of those that rules are for."""


@dataclass(frozen=True)
class Subject:
    """A property of servers that makes a comparison unfair when it is unequal.

    `variables` are all that `value` reads or that set it, whatever a flavour or a version calls them: a study
    that varies one of them varies the subject. `rule` makes the text of what is in effect from them, by the
    manuals of MySQL and MariaDB.
    """

    name: str
    variables: tuple[str, ...]
    rule: Callable[[Variables], str]

    def value(self, found: Variables) -> str:
        """Returns the text of what is in effect; equal text is equal.

        Another kind of server may mean something else by a variable, and without one do anything: of such a
        server only what it says itself is compared, and only with its own kind.
        """
        flavour = found.get(FLAVOUR, "mysql")
        if flavour in RULED_FLAVOURS:
            return self.rule(found)
        said = ", ".join(f"{name} = {found[name]}" for name in self.variables if name in found)
        return f"{said or 'not known'} ({flavour})"

    @property
    def spoken(self) -> str:
        """The name as it is written in an English sentence."""
        return self.name.replace("-", " ")


def plain(name: str, *variables: str, spelled: Callable[[str], str], absent: str) -> Subject:
    """Returns a subject whose value is that of the first of the variables that a server has; `absent` where
    it has none.
    """

    def value(found: Variables) -> str:
        return next((spelled(found[variable]) for variable in variables if variable in found), absent)

    return Subject(name, variables, value)


SUBJECTS: tuple[Subject, ...] = (
    # durability
    plain("redo-flush", "innodb_flush_log_at_trx_commit", spelled=str, absent="none"),
    Subject("binlog-sync", ("sync_binlog", "log_bin"), effective.binary_log_sync),
    Subject("doublewrite", ("innodb_doublewrite",), effective.doublewrite),
    Subject(
        "flush-method",
        ("innodb_flush_method", "innodb_data_file_buffering", "innodb_data_file_write_through"),
        effective.flush_method,
    ),
    Subject("binary-log", ("log_bin", "binlog_format"), effective.binary_log),
    # memory and files
    plain("buffer-pool", "innodb_buffer_pool_size", spelled=size, absent="none"),
    Subject(
        "redo-capacity",
        ("innodb_redo_log_capacity", "innodb_log_file_size", "innodb_log_files_in_group"),
        effective.redo_capacity,
    ),
    # MySQL 5.5 has no such variable: 16 KiB is compiled in.
    plain("page-size", "innodb_page_size", spelled=size, absent="16 KiB"),
    plain("native-aio", "innodb_use_native_aio", spelled=switch, absent="off"),
    # MariaDB 11 has no change buffer.
    plain("change-buffering", "innodb_change_buffering", spelled=str.lower, absent="none"),
    plain("adaptive-hash-index", "innodb_adaptive_hash_index", spelled=switch, absent="off"),
    # what statements mean
    Subject(
        "isolation",
        ("transaction_isolation", "tx_isolation", "innodb_snapshot_isolation"),
        effective.isolation_level,
    ),
    Subject("collation", ("character_set_server", "collation_server"), effective.collation),
    plain("sql-mode", "sql_mode", spelled=modes, absent="none"),
    plain("default-engine", "default_storage_engine", "storage_engine", spelled=str.lower, absent="none"),
    # what stands beside them
    Subject(
        "query-cache", ("query_cache_type", "query_cache_size", "have_query_cache"), effective.query_cache
    ),
    plain("performance-schema", "performance_schema", spelled=switch, absent="off"),
    plain("thread-handling", "thread_handling", spelled=str.lower, absent="one-thread-per-connection"),
    Subject("tls", ("have_ssl", "ssl", "ssl_cert", "tls_version"), effective.tls),
)
