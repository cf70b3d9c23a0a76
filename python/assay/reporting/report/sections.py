"""The sections of a page: what stands open in each, and what is closed with its result in one line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from markupsafe import Markup

from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.material import Material
from assay.reporting.report.section_lines import alarm_of, counts_of, section_line
from assay.reporting.report.tables.constants import equal_apart, without_constants
from assay.reporting.report.tables.model import Table
from assay.reporting.report.tables.repeats import notes_once, without_repeats

SECTIONS = (
    "why", "hypotheses", "gates", "doubts", "results", "comparisons", "settings", "distribution", "timeline",
    "costs", "errors", "differences", "environment", "method", "runs", "again",
)  # fmt: skip
_ANSWERS = frozenset({"why", "hypotheses", "gates", "doubts", "results"})
"""Sections that answer the study's question. Every other one is closed, unless it has what needs a look."""
_OPEN_CHARTS = 2
"""Charts of an open section that stand open; the others are closed."""
_OF_ANSWER = "throughput"
"""The chart that shows what the picture beside the answer shows, where there is one."""


class Drawable(Protocol):
    """A chart that a template draws when it comes to it, or that is drawn already."""

    @property
    def chart(self) -> Chart: ...
    @property
    def svg(self) -> Markup: ...
    @property
    def least_px(self) -> int: ...


@dataclass(frozen=True)
class Section:
    """One section of a page: charts and tables that stand open in it, then those that are closed.

    `folded`: the section itself is closed, and `says` is its result in one line.
    """

    name: str
    charts: tuple[Drawable, ...]
    tables: tuple[Table, ...]
    closed_charts: tuple[Drawable, ...]
    closed_tables: tuple[Table, ...]
    folded: bool
    says: str


def sections_of(
    material: Material, tables: Sequence[Table], figures: Sequence[Drawable]
) -> tuple[Section, ...]:
    """Returns the sections of a page that have something to show, in their order."""
    always = ("method",) if material.study.is_imported else ("method", "again")
    shown = tables_shown(material, tables)
    is_drawn = any(one.chart.section not in SECTIONS for one in figures)  # beside the answer
    known = {material.name(_OF_ANSWER)} if is_drawn else set()
    found = (
        _section(
            material,
            name,
            [one for one in figures if one.chart.section == name],
            [one for one in tables if one.section == name],
            [one for one in shown if one.section == name],
            known,
        )
        for name in SECTIONS
    )
    return tuple(
        one
        for one in found
        if one.name in always or one.charts or one.tables or one.closed_charts or one.closed_tables
    )


def tables_shown(material: Material, tables: Iterable[Table]) -> list[Table]:
    """Returns the tables as a page shows them, in its order: each thing is said once."""
    words = material.words
    ordered = sorted(
        (table for table in tables if table.section in SECTIONS),
        key=lambda table: SECTIONS.index(table.section),
    )
    apart = [part for table in ordered for part in equal_apart(table, words)]
    lean = [without_constants(table, words) for table in without_repeats(apart, words)]
    return notes_once(sorted(lean, key=lambda table: (SECTIONS.index(table.section), table.folded)))


def _section(
    material: Material,
    name: str,
    figures: Sequence[Drawable],
    built: Sequence[Table],
    shown: Sequence[Table],
    known: Collection[str],
) -> Section:
    """Returns a section of the tables that were built for it, as the page shows them; charts of `known` names
    are closed.
    """
    words = material.words
    is_answer = name in _ANSWERS or (name == "comparisons" and material.results.screening is not None)
    alarm = "" if is_answer else alarm_of(built, words)
    line = section_line(material, name, [one.chart for one in figures], built)
    standing = [one for one in figures if not one.chart.folded and one.chart.name not in known]
    standing = standing[: _OPEN_CHARTS - len(known)] if is_answer else standing
    return Section(
        name,
        tuple(standing),
        tuple(table for table in shown if not table.folded or not table.rows),
        tuple(one for one in figures if one not in standing),
        tuple(
            replace(table, says=table.says or counts_of([table], words))
            for table in shown
            if table.folded and table.rows
        ),
        folded=not is_answer and not alarm,
        says=alarm or ("" if is_answer else line),
    )
