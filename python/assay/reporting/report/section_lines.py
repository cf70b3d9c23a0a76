"""The result of a section in one line, for readers who leave it closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from assay.base.numbers import duration
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.material import Material
from assay.reporting.report.tables.constants import equal_rows
from assay.reporting.report.tables.model import Ratio, Table, Word
from assay.reporting.report.tables.write import word
from assay.reporting.report.words import Words

_ALARMS = frozenset({"unequal", "failed", "damaged", "invalid"})
"""Words in tables that open their section."""
_FEW = 3  # names in a line


def section_line(material: Material, name: str, charts: Sequence[Chart], tables: Sequence[Table]) -> str:
    """Returns the line of a section: its own, otherwise the sentence of its first chart, otherwise the words
    in its tables and how often each stands there, otherwise their titles.

    `tables` have all their columns, whatever the page leaves out.
    """
    named = {table.name: table for table in tables}
    if own := _OWN.get(name):
        return own(material, named)
    for says in (chart.says for chart in charts if chart.says):
        return says
    return counts_of(tables, material.words) or material.words.listed(table.title for table in tables)


def counts_of(tables: Sequence[Table], words: Words) -> str:
    """Returns the words of states and outcomes in tables, each with its number, those of ratios where there
    are no others; "" without any.
    """
    cells = [cell for table in tables for row in table.rows for cell in row]
    found = [cell.word for cell in cells if isinstance(cell, Word)]
    found = found or [cell.word for cell in cells if isinstance(cell, Ratio)]
    counts = Counter(word(name, words) for name in found)
    return words.listed(words("line.count", what=what, count=count) for what, count in counts.most_common())


def alarm_of(tables: Sequence[Table], words: Words) -> str:
    """Returns the rows that need a look, by their first cell and word; "" for none."""
    found = [
        words("line.alarm", what=str(row[0]), state=word(cell.word, words))
        for table in tables
        for row in table.rows
        for cell in row
        if isinstance(cell, Word) and cell.word in _ALARMS
    ]
    return _few(found, words)


def _few(names: Sequence[str], words: Words) -> str:
    """Returns the first names, and how many more there are."""
    more = words("line.more", count=len(names) - _FEW) if len(names) > _FEW else ""
    return words.listed(names[:_FEW]) + more


def _errors(material: Material, tables: Mapping[str, Table]) -> str:
    words, found = material.words, tables.get("errors")
    if found is None or not found.rows:
        return words("errors.empty")
    at = next(at for at, column in enumerate(found.columns) if column.key == "code")
    return words("line.errors", codes=words.listed(dict.fromkeys(str(row[at]) for row in found.rows)))


def _differences(material: Material, tables: Mapping[str, Table]) -> str:
    words = material.words
    unfair, differ, listed = (tables.get(name) for name in ("fairness", "differences", "configuration"))
    names = [str(row[0]) for row in differ.rows] if differ else []
    equal = len(equal_rows(listed)) if listed else 0
    if names:
        return words("line.differ", names=_few(names, words), equal=equal)
    if listed and not listed.rows:
        return listed.empty
    return unfair.empty if unfair and not unfair.rows else words("line.equal", count=equal)


def _environment(material: Material, tables: Mapping[str, Table]) -> str:
    facts, changes = tables.get("all-facts"), tables.get("machine-changes")
    count = len(facts.rows) if facts else 0
    changed = len(changes.rows) if changes else 0
    return material.words("line.environment", facts=count, changed=changed)


def _method(material: Material, tables: Mapping[str, Table]) -> str:
    study = material.study
    if study.is_imported:
        return ""
    return material.words(
        "line.method", blocks=material.results.blocks_planned, window=duration(study.load.measure_s)
    )


def _runs(material: Material, tables: Mapping[str, Table]) -> str:
    return counts_of([table for name, table in tables.items() if name == "runs"], material.words)


def _again(material: Material, tables: Mapping[str, Table]) -> str:
    return material.words("line.again")


def _comparisons(material: Material, tables: Mapping[str, Table]) -> str:
    words, found = material.words, tables.get("comparisons")
    if found is None:
        return counts_of([*tables.values()], words)
    counts = counts_of([found], words)
    return words("line.comparisons", count=len(found.rows), counts=counts) if found.rows else found.empty


_OWN: Mapping[str, Callable[[Material, Mapping[str, Table]], str]] = {
    "comparisons": _comparisons,
    "errors": _errors,
    "differences": _differences,
    "environment": _environment,
    "method": _method,
    "runs": _runs,
    "again": _again,
}
