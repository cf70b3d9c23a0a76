"""The table of durability settings, and what a power failure could have lost."""

from __future__ import annotations

from collections.abc import Mapping

from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Cell, Column, Table
from assay.reporting.report.words import Words
from assay.results.advice import risks
from assay.results.verdict.fairness import SUBJECTS, read_settings

SHOWN = ("redo-flush", "flush-method", "doublewrite", "binlog-sync")
_LOST = {"0": "process", "1": "nothing", "2": "second", "3": "nothing"}
_SETS = {"flush-method": "innodb_flush_method", "doublewrite": "innodb_doublewrite"}
_VALUE = {subject.name: subject.value for subject in SUBJECTS if subject.name in SHOWN}


def tables(material: Material) -> list[Table]:
    """Returns `durability`: one row a treatment, with the settings of its first run."""
    words, settings = material.words, read_settings(material.cursor())
    rows: list[tuple[Cell, ...]] = []
    for treatment in material.results.treatments:
        if found := settings.get(treatment):
            values = {name: _VALUE[name](found[0]) for name in SHOWN}
            rows.append((treatment, *values.values(), loss(values, words)))
    columns = (
        Column("treatment", words("column.treatment"), kind="text"),
        *(Column(name, words(f"subject.{name}"), kind="text") for name in SHOWN),
        Column("power-cut", words("durability.power-cut"), kind="prose"),
    )
    return [
        Table(
            "environment",
            "durability",
            words("durability.title"),
            columns,
            tuple(rows),
            note=words("durability.note"),
            empty=words("durability.empty"),
        )
    ]


def loss(values: Mapping[str, str], words: Words) -> str:
    """Returns sentences on what InnoDB's tables could lose (MySQL manual: innodb_flush_log_at_trx_commit,
    innodb_doublewrite).

    MariaDB's value 3 is 1 with the flushes of old versions. A value that nobody knows leaves it open.
    """
    flushed, found = values["redo-flush"], set(risks({_SETS[name]: values[name] for name in _SETS}))
    said = [_LOST.get(flushed, "unknown")]
    if flushed in ("1", "3") and values["binlog-sync"] not in ("1", "no binary log"):
        said = ["binlog"]
    if "not-known" in found:
        said = ["unknown"]
    if "unsynced" in found:
        said = ["unsynced"]
    if "torn-pages" in found:
        said.append("torn")
    return words.sentences(words(f"durability.{one}") for one in said)
