"""What a value of a server variable puts at risk."""

from __future__ import annotations

import pytest
from assay.design.study import variable_kind
from assay.results.advice import RISKS, WITHHELD, durability, risks
from assay.system.server import Build
from assay.system.server.variables.catalogue import catalogue

FLUSH = "innodb_flush_log_at_trx_commit"


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        (FLUSH, "0", ("commits-server",)),
        (FLUSH, "1", ("full",)),
        (FLUSH, "2", ("commits-machine",)),
        (FLUSH, "3", ("full",)),
        ("sync_binlog", "0", ("binlog",)),
        ("sync_binlog", "1", ("full",)),
        ("sync_binlog", "100", ("binlog",)),
        ("log_bin", "OFF", ("no-binlog",)),
        ("innodb_doublewrite", "0", ("torn-pages",)),
        ("innodb_doublewrite", "DETECT_ONLY", ("torn-pages",)),
        ("innodb_doublewrite", "DETECT_AND_RECOVER", ("full",)),
        ("innodb_flush_method", "O_DIRECT", ("full",)),
        ("innodb_flush_method", "O_DIRECT_NO_FSYNC", ("unsynced",)),
        ("innodb_checksum_algorithm", "none", ("undetected",)),
        ("innodb_checksum_algorithm", "crc32", ("full",)),
        ("innodb_checksum_algorithm", "strict_none", ("undetected",)),
        ("innodb_flush_log_at_timeout", "2700", ("commits-machine",)),
        ("aria_group_commit", "soft", ("commits-machine",)),
        ("sql_log_bin", "0", ("no-binlog",)),
        ("innodb_purge_threads", "0", ("unaffected",)),
        ("innodb_page_size", "4K", ("unaffected",)),
        # spellings of one setting
        ("skip_log_bin", "1", ("no-binlog",)),
        ("disable-log-bin", "ON", ("no-binlog",)),
        ("skip_innodb_doublewrite", "1", ("torn-pages",)),
        ("loose-innodb-doublewrite", "0", ("torn-pages",)),
        ("@@GLOBAL.Sync_Binlog", "0", ("binlog",)),
        # what statements and transactions mean, and who may come in
        ("autocommit", "OFF", ("integrity",)),
        ("autocommit", "ON", ("full",)),
        ("foreign_key_checks", "0", ("integrity",)),
        ("skip_foreign_key_checks", "1", ("integrity",)),
        ("unique_checks", "OFF", ("integrity",)),
        ("sql_mode", "", ("integrity",)),
        ("sql_mode", "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION", ("full",)),
        ("sql_mode", "STRICT_TRANS_TABLES,ANSI_QUOTES", ("integrity",)),
        ("transaction_isolation", "READ-COMMITTED", ("integrity",)),
        ("tx_isolation", "REPEATABLE-READ", ("full",)),
        ("completion_type", "CHAIN", ("integrity",)),
        ("innodb_snapshot_isolation", "OFF", ("integrity",)),
        ("innodb_force_recovery", "6", ("integrity",)),
        ("default_storage_engine", "MyISAM", ("integrity",)),
        ("enforce_storage_engine", "InnoDB", ("full",)),
        ("binlog_format", "STATEMENT", ("integrity",)),
        ("read_only", "ON", ("access",)),
        ("skip_grant_tables", "ON", ("access",)),
        ("require_secure_transport", "OFF", ("access",)),
        # neither a variable nor a value that is on a list is taken for harmless
        ("a_variable_of_tomorrow", "1", ("not-known",)),
        ("innodb_data_home_dir", "/dev/shm", ("not-known",)),
        ("wsrep_slave_threads", "8", ("not-known",)),
        (FLUSH, "4", ("not-known",)),
        ("innodb_doublewrite", "fast", ("not-known",)),
        ("innodb_flush_method", "a_method_of_tomorrow", ("not-known",)),
        ("innodb_checksum_algorithm", "xxh3", ("not-known",)),
        ("default_storage_engine", "an_engine", ("not-known",)),
        ("autocommit", "perhaps", ("not-known",)),
        ("sync_binlog", "often", ("not-known",)),
    ],
)
def test_the_class_of_a_value(name: str, value: str, wanted: tuple[str, ...]) -> None:
    assert durability({name: value}) == wanted


def test_every_variable_of_a_server_has_a_class(mariadb_build: Build) -> None:
    """Those that the lists name are theirs by hand; whatever else a server has is *not known*, and a class
    never follows from a name that only looks alike.
    """
    defaults = catalogue(mariadb_build).defaults
    classes = {name: durability({name: value}) for name, value in defaults.items()}
    assert all(set(found) <= {"unaffected", "full", *RISKS} for found in classes.values())
    of_kind = {name: variable_kind(name) for name in defaults}
    for name, found in classes.items():
        if of_kind[name] == "not-known" and not set(found) & WITHHELD:
            assert found != ("unaffected",), name
    known = [name for name, kind in of_kind.items() if kind != "not-known"]
    assert len(known) > 200
    assert len(known) < len(defaults)


def test_a_setting_of_several_variables_has_every_risk() -> None:
    both = {FLUSH: "2", "sync_binlog": "0", "innodb_purge_threads": "4"}
    assert durability(both) == ("commits-machine", "binlog")
    assert durability({FLUSH: "1", "innodb_purge_threads": "4"}) == ("full",)


def test_losing_commits_with_the_server_includes_losing_them_with_the_machine() -> None:
    assert set(risks({FLUSH: "2"})) < set(risks({FLUSH: "0"}))
