"""What servers of six kinds have in effect, and which spellings mean the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from assay.results.verdict.fairness import SUBJECTS, Subject
from assay.results.verdict.fairness.subjects import FLAVOUR
from server_variables import SERVERS

BY_NAME = {subject.name: subject for subject in SUBJECTS}
ORDER = ("mysql@5.5", "mysql@5.6", "mysql@9.7", "mariadb@10.1", "mariadb@10.11", "mariadb@11.4")
REPEATABLE = ("REPEATABLE-READ",) * 6

# Subject -> what is in effect in each of ORDER when nothing is set.
IN_EFFECT = {
    "redo-flush": ("1",) * 6,
    "binlog-sync": ("no binary log",) * 6,
    "doublewrite": ("on",) * 6,
    "flush-method": ("fsync", "fsync", "o_direct", "fsync", "o_direct", "o_direct"),
    "binary-log": ("off",) * 6,
    "buffer-pool": ("128 MiB",) * 6,
    "redo-capacity": ("10 MiB", "96 MiB", "100 MiB", "96 MiB", "96 MiB", "96 MiB"),
    "page-size": ("16 KiB",) * 6,
    "native-aio": ("off", *("on",) * 5),
    "change-buffering": ("all", "all", "all", "all", "none", "none"),
    "adaptive-hash-index": ("on", "on", "off", "on", "off", "off"),
    "isolation": REPEATABLE,
    "default-engine": ("innodb",) * 6,
    "query-cache": ("off",) * 6,
    "performance-schema": ("off", "on", "on", "off", "off", "off"),
    "thread-handling": ("one-thread-per-connection",) * 6,
    "tls": ("off", "off", "on", "off", "off", "off"),
}


def value(name: str, variables: Mapping[str, str], server: str | None = None) -> str:
    """The value of one subject; on top of a server's own variables when there is a server."""
    return BY_NAME[name].value({**SERVERS[server], **variables} if server else variables)


@pytest.mark.parametrize("name", IN_EFFECT)
def test_what_is_in_effect_when_nothing_is_set(name: str) -> None:
    assert tuple(value(name, SERVERS[server]) for server in ORDER) == IN_EFFECT[name]


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("doublewrite", {"innodb_doublewrite": "ON"}, {"innodb_doublewrite": "DETECT_AND_RECOVER"}),
        ("doublewrite", {"innodb_doublewrite": "1"}, {"innodb_doublewrite": "on"}),
        ("performance-schema", {"performance_schema": "0"}, {}),
        ("adaptive-hash-index", {"innodb_adaptive_hash_index": "YES"}, {"innodb_adaptive_hash_index": "ON"}),
        ("flush-method", {"innodb_flush_method": ""}, {"innodb_flush_method": "fsync"}),
        (
            "flush-method",
            {"innodb_flush_method": "O_DIRECT", "innodb_data_file_buffering": "ON"},
            {"innodb_flush_method": "fsync"},
        ),
        (
            "collation",
            {"character_set_server": "utf8", "collation_server": "utf8_general_ci"},
            {"character_set_server": "utf8mb3", "collation_server": "utf8mb3_general_ci"},
        ),
        ("isolation", {"tx_isolation": "READ-COMMITTED"}, {"transaction_isolation": "READ-COMMITTED"}),
        ("isolation", {"tx_isolation": "read committed"}, {"transaction_isolation": "READ-COMMITTED"}),
        (
            "isolation",
            {"tx_isolation": "READ-COMMITTED", "innodb_snapshot_isolation": "ON"},
            {"transaction_isolation": "READ-COMMITTED"},
        ),
        (
            "redo-capacity",
            {"innodb_log_file_size": "536870912", "innodb_log_files_in_group": "2"},
            {"innodb_redo_log_capacity": "1073741824"},
        ),
        (
            "redo-capacity",
            {"innodb_log_file_size": "1073741824"},
            {"innodb_redo_log_capacity": "1073741824"},
        ),
        ("sql-mode", {"sql_mode": "NO_ZERO_DATE,ANSI_QUOTES"}, {"sql_mode": "ANSI_QUOTES,NO_ZERO_DATE"}),
        ("sql-mode", {"sql_mode": "NO_AUTO_CREATE_USER"}, {"sql_mode": ""}),
        ("default-engine", {"storage_engine": "INNODB"}, {"default_storage_engine": "InnoDB"}),
        ("query-cache", {}, {"query_cache_type": "ON", "query_cache_size": "0"}),
        ("query-cache", {}, {"query_cache_type": "ON", "query_cache_size": "9", "have_query_cache": "NO"}),
        ("change-buffering", {}, {"innodb_change_buffering": "none"}),
        ("thread-handling", {}, {"thread_handling": "one-thread-per-connection"}),
        ("tls", {"have_ssl": "DISABLED"}, {"tls_version": "", "ssl_cert": "server-cert.pem"}),
        ("tls", {"have_ssl": "YES"}, {"tls_version": "TLSv1.3", "ssl_cert": "server-cert.pem"}),
        ("binlog-sync", {"sync_binlog": "1", "log_bin": "OFF"}, {"sync_binlog": "0", "log_bin": "OFF"}),
    ],
)
def test_what_means_the_same_is_equal(name: str, one: dict[str, str], other: dict[str, str]) -> None:
    assert value(name, one) == value(name, other)


@pytest.mark.parametrize(
    ("name", "server", "changed"),
    [
        ("redo-flush", "mysql@5.5", {"innodb_flush_log_at_trx_commit": "2"}),
        ("binlog-sync", "mysql@9.7", {"log_bin": "ON"}),
        ("doublewrite", "mysql@9.7", {"innodb_doublewrite": "DETECT_ONLY"}),
        ("doublewrite", "mariadb@11.4", {"innodb_doublewrite": "fast"}),
        ("flush-method", "mariadb@11.4", {"innodb_data_file_write_through": "ON"}),
        ("flush-method", "mysql@9.7", {"innodb_flush_method": "O_DIRECT_NO_FSYNC"}),
        ("binary-log", "mysql@5.6", {"log_bin": "ON"}),
        ("buffer-pool", "mysql@9.7", {"innodb_buffer_pool_size": "134217729"}),
        ("redo-capacity", "mariadb@10.11", {"innodb_log_file_size": "100663297"}),
        ("redo-capacity", "mysql@5.6", {"innodb_log_files_in_group": "3"}),
        ("page-size", "mysql@5.5", {"innodb_page_size": "8192"}),
        ("native-aio", "mariadb@10.1", {"innodb_use_native_aio": "OFF"}),
        ("isolation", "mariadb@11.4", {"innodb_snapshot_isolation": "ON"}),
        ("collation", "mysql@9.7", {"collation_server": "utf8mb4_general_ci"}),
        ("sql-mode", "mariadb@10.1", {"sql_mode": "ANSI_QUOTES"}),
        ("default-engine", "mysql@5.6", {"default_storage_engine": "MyISAM"}),
        ("query-cache", "mariadb@10.11", {"query_cache_type": "DEMAND"}),
        ("thread-handling", "mariadb@10.11", {"thread_handling": "pool-of-threads"}),
        ("tls", "mariadb@11.4", {"have_ssl": "YES"}),
        ("tls", "mysql@9.7", {"tls_version": ""}),
        ("tls", "mysql@9.7", {"ssl_cert": ""}),
    ],
)
def test_what_means_something_else_is_not(name: str, server: str, changed: dict[str, str]) -> None:
    assert value(name, changed, server) != value(name, {}, server)


def test_the_old_redo_variables_count_in_mysql_8_until_the_new_one_is_set() -> None:
    untouched = {
        "innodb_redo_log_capacity": "104857600",
        "innodb_log_file_size": "50331648",
        "innodb_log_files_in_group": "2",
    }
    assert value("redo-capacity", untouched) == "100 MiB"
    assert value("redo-capacity", {**untouched, "innodb_log_file_size": "1073741824"}) == "2 GiB"
    both = {"innodb_redo_log_capacity": "4294967296", "innodb_log_file_size": "1073741824"}
    assert value("redo-capacity", {**untouched, **both}) == "4 GiB"


def test_a_query_cache_that_is_on_says_its_size() -> None:
    on = {"query_cache_type": "1", "query_cache_size": "16777216", "have_query_cache": "YES"}
    assert value("query-cache", on) == "on, 16 MiB"
    assert value("query-cache", {**on, "query_cache_type": "2"}) == "on demand, 16 MiB"


class Asked(Mapping[str, str]):
    """Variables that remember which of them were looked at, there or not."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return self.variables[name]

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("a subject takes its variables by name")

    def __len__(self) -> int:
        return len(self.variables)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_subject_looks_at_its_own_variables_only(subject: Subject) -> None:
    for variables in (*SERVERS.values(), {}, {"log_bin": "ON", "query_cache_type": "ON"}):
        asked = Asked(variables)
        assert subject.value(asked)
        assert asked.names <= {FLAVOUR, *subject.variables}
        assert asked.names > {FLAVOUR}


def test_names_are_unique_and_variables_in_lower_case() -> None:
    assert len(BY_NAME) == len(SUBJECTS)
    for subject in SUBJECTS:
        assert all(variable == variable.lower() for variable in subject.variables)
