"""What a value of a server variable puts at risk."""

from __future__ import annotations

import pytest
from assay.advice import durability, risks

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
        ("innodb_purge_threads", "0", ("unaffected",)),
    ],
)
def test_the_class_of_a_value(name: str, value: str, wanted: tuple[str, ...]) -> None:
    assert durability({name: value}) == wanted


def test_a_setting_of_several_variables_has_every_risk() -> None:
    both = {FLUSH: "2", "sync_binlog": "0", "innodb_purge_threads": "4"}
    assert durability(both) == ("commits-machine", "binlog")
    assert durability({FLUSH: "1", "innodb_purge_threads": "4"}) == ("full",)


def test_losing_commits_with_the_server_includes_losing_them_with_the_machine() -> None:
    assert set(risks({FLUSH: "2"})) < set(risks({FLUSH: "0"}))
