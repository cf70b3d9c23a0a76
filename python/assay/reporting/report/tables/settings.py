"""The table of server variables: what follows for each level that a study tried, on each of its servers."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reporting.report.material import Material
from assay.reporting.report.my_cnf import server_name
from assay.reporting.report.tables.model import Cell, Column, Ratio, Table, Word, named_columns


def tables(material: Material) -> list[Table]:
    """Returns `settings`: one row a level and load point, by the first measure; no table without a decided
    comparison of server variables.
    """
    words, rows = material.words, tuple(_rows(material))
    if not rows:
        return []
    workload = (
        (Column("workload", words("column.workload"), kind="text"),) if material.study.workloads[1:] else ()
    )
    columns = (
        *named_columns(words, "column", server="text", setting="code", load="text"),
        *workload,
        *named_columns(words, "column", ratio="ratio", conclusion="word", durability="prose"),
    )
    note = words("advice.note", measure=words.measure(material.throughput))
    title = words("advice.title")
    return [Table("settings", "settings", title, columns, rows, note=note, folded=len(rows) > 40)]


def _rows(material: Material) -> Iterator[tuple[Cell, ...]]:
    words, varied = material.words, bool(material.study.workloads[1:])
    for advice in material.advice:
        for one in advice.conclusions():
            for finding in one.findings:
                for level in finding.choice.levels:
                    classes = words.listed(words(f"advice.durability.{each}") for each in level.durability)
                    for effect in level.first:
                        yield (
                            server_name(advice),
                            str(level),
                            words.load(effect.load, effect.load_kind),
                            *((effect.workload,) if varied else ()),
                            Ratio(effect.ratio, effect.low, effect.high, effect.word),
                            Word(f"advice-{one.conclusion}"),
                            classes,
                        )
