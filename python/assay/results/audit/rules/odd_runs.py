"""The rule that repeated runs of one row agree as well as those of the other rows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from statistics import median

from assay.base.numbers import number
from assay.results.audit.figure import Figure
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.reading.cell_text import read_cell
from assay.results.audit.rules.rule import Rule

_RUN = re.compile(
    r"(?<![a-z])(?:run|lauf|repeat|rep|iteration|iter|try|trial|essai|ejecuci[oó]n|прогон)s?(?![a-z])|次|回目"
)
_LEAST_RUNS, _LEAST_ROWS = 3, 3
_ODD, _ALIKE = 0.2, 0.06
"""Shares by which a run lies off the others, and by which others and those of other rows lie apart."""


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.sheets:
        if sheet.is_known:
            continue
        for heads in _runs(sheet):
            yield from _of_runs(sheet, heads)


def _runs(sheet: Sheet) -> Iterator[list[str]]:
    """Yields the heads of runs, which differ in their number alone."""
    groups: dict[str, list[str]] = defaultdict(list)
    for head in sheet.columns:
        if _RUN.search(re.sub(r"[\d_]+", " ", head.lower())) and re.search(r"\d", head):
            groups[re.sub(r"\d+", "", head)].append(head)
    yield from (heads for heads in groups.values() if len(heads) >= _LEAST_RUNS)


def _of_runs(sheet: Sheet, heads: list[str]) -> Iterator[Finding]:
    rows: list[tuple[int, str, dict[str, Figure]]] = []
    for line, row in sheet.rows:
        read = {head: read_cell(row[head]).figures for head in heads}
        figures = {
            head: some[0].figure for head, some in read.items() if len(some) == 1 and some[0].figure.value > 0
        }
        if len(figures) >= _LEAST_RUNS:
            rows.append((line, row[sheet.columns[0]], figures))
    odd = [(line, name, figures, head) for line, name, figures in rows if (head := _odd(figures))]
    others = [figures for _, _, figures in rows if not _odd(figures)]
    if len(odd) != 1 or len(others) < _LEAST_ROWS - 1 or any(_apart(one) > _ALIKE for one in others):
        return
    line, name, figures, head = odd[0]
    usual = median(one.value for other, one in figures.items() if other != head)
    yield Finding(
        RULE.name,
        "warning",
        "high",
        sheet.file,
        sheet.file,
        f"{sheet.columns[0]}={name}",
        head,
        line,
        figures[head].text,
        f"about {number(usual)}",
        f"{head} is {100 * (figures[head].value / usual - 1):+.0f} % against the other runs of its row",
        f"runs of {len(others)} other rows lie within {100 * max(map(_apart, others)):.1f} % of each other",
    )


def _odd(figures: dict[str, Figure]) -> str:
    """Returns the one run that is far from the others, which agree; an empty text where there is none."""
    for head, figure in figures.items():
        rest = {other: one for other, one in figures.items() if other != head}
        usual = median(one.value for one in rest.values())
        if abs(figure.value / usual - 1) > _ODD and _apart(rest) <= _ALIKE:
            return head
    return ""


def _apart(figures: dict[str, Figure]) -> float:
    values = [one.value for one in figures.values()]
    return max(values) / min(values) - 1


RULE = Rule(
    "odd-runs",
    "one run of a row that is far from the others",
    _check,
    kind="shape",
    must="no single run is 20 % off the others of its row, where runs of all other rows agree within 6 %",
)
