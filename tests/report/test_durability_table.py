"""What a power cut could have taken, in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables.durability import loss
from assay.reporting.report.words import LANGUAGES, load_words
from synthetic import make_material


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("flush", "binlog", "doublewrite", "method", "said"),
    [
        ("1", "no binary log", "on", "o_direct", ["nothing"]),
        ("3", "1", "on", "fsync", ["nothing"]),
        ("1", "0", "on", "fsync", ["binlog"]),
        ("2", "0", "on", "fsync", ["second"]),
        ("0", "no binary log", "on", "fsync", ["process"]),
        ("1", "1", "off", "fsync", ["nothing", "torn"]),
        ("1", "1", "detect_only", "fsync", ["nothing", "torn"]),
        ("1", "1", "a value of tomorrow", "fsync", ["unknown"]),
        ("1", "1", "on", "a_method_of_tomorrow", ["unknown"]),
        ("1", "1", "on", "o_direct_no_fsync", ["unsynced"]),
        ("none", "no binary log", "on", "fsync", ["unknown"]),
    ],
)
def test_it_follows_from_the_settings(
    language: str, flush: str, binlog: str, doublewrite: str, method: str, said: list[str]
) -> None:
    words = load_words(language)
    expected = words.sentences(words(f"durability.{word}") for word in said)
    values = {"redo-flush": flush, "binlog-sync": binlog, "doublewrite": doublewrite, "flush-method": method}
    assert loss(values, words) == expected


def test_every_treatment_has_a_row(tmp_path: Path) -> None:
    made = make_material(tmp_path, loads=(8,), blocks=2)
    (table,) = [table for table in build_tables(made) if table.name == "durability"]
    made.store.close()
    assert [row[0] for row in table.rows] == list(made.results.treatments)
