"""Asked and in force: when are two ways of writing a value the same?"""

from __future__ import annotations

import pytest
from assay.design.folder.manifest import Scalar
from assay.design.study import option_text, same_value
from assay.system.server.variables.values import unit_mistake


@pytest.mark.parametrize(
    ("asked", "actual"),
    [
        ("1G", "1073741824"),
        ("128m", "134217728"),
        (2, "2"),
        (True, "ON"),
        (False, "OFF"),
        (1, "ON"),
        ("off", "OFF"),
        (True, "YES"),
        (75.5, "75.500000"),
        ("0.1", "0.100000"),
        ("read-committed", "READ-COMMITTED"),
        ("O_DIRECT", "O_DIRECT"),
        ("/tmp/x", "/tmp/x/"),
        ("STRICT_ALL_TABLES,NO_ZERO_DATE", "NO_ZERO_DATE,STRICT_ALL_TABLES"),
        ("TRADITIONAL", "STRICT_TRANS_TABLES,NO_ZERO_DATE,TRADITIONAL"),
        ("mrr=on", "index_merge=on,mrr=on,mrr_sort_keys=off"),
        ("", ""),
        ("utf8", "utf8mb3"),
        ("utf8mb3", "utf8"),
        ("UTF8", "utf8mb3"),
        ("utf8_general_ci", "utf8mb3_general_ci"),
        ("utf8mb3_bin", "utf8_bin"),
        ("uca1400_ai_ci", "utf8mb4_uca1400_ai_ci"),
        ("+8:00", "+08:00"),
        ("READ COMMITTED", "READ-COMMITTED"),
    ],
)
def test_the_same(asked: Scalar, actual: str) -> None:
    assert same_value(asked, actual)


@pytest.mark.parametrize(
    ("asked", "actual"),
    [
        ("1G", "1000000000"),
        (1, "100"),
        (True, "OFF"),
        (2, "ON"),
        ("mrr=on", "index_merge=on,mrr=off"),
        ("NO_ZERO_DATE", "NO_ZERO_DATE,STRICT_ALL_TABLES"),
        ("fsync", "O_DIRECT"),
        ("", "ON"),
        ("nan", "0"),
        ("utf8", "utf8mb4"),
        ("utf8_general_ci", "utf8mb4_general_ci"),
        ("utf8mb4_bin", "utf8mb3_bin"),
        ("+8:00", "+18:00"),
        ("/data/utf8_a", "/data/utf8mb3_a"),
    ],
)
def test_not_the_same(asked: Scalar, actual: str) -> None:
    assert not same_value(asked, actual)


@pytest.mark.parametrize(
    ("written", "better"),
    [
        ("2GB", "2G"),
        ("2 G", "2G"),
        ("512 MiB", "512M"),
        ("1.5G", "1536M"),
        ("16kb", "16K"),
        ("100 bytes", "100"),
    ],
)
def test_a_size_in_a_unit_that_servers_do_not_read(written: str, better: str) -> None:
    assert unit_mistake(written) == better


@pytest.mark.parametrize("written", ["2G", "16k", 5, 0.75, "1e3", "ON", True, "O_DIRECT", "abc"])
def test_sizes_that_are_right_and_words(written: Scalar) -> None:
    assert unit_mistake(written) is None


def test_booleans_are_written_as_servers_show_them() -> None:
    assert [option_text(value) for value in (True, False, 1, 0.5, "x")] == ["ON", "OFF", "1", "0.5", "x"]
