"""Writes the report's page: one HTML file that contains everything, loads nothing and needs no script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assay.printable import visible
from assay.report import method, summary
from assay.report.charts import style
from assay.report.charts.chart import Chart
from assay.report.charts.render import inline
from assay.report.explain import explain_doubt
from assay.report.material import Material
from assay.report.my_cnf import fragments
from assay.report.numbers import ratio_with_interval
from assay.report.page_templates import page_template
from assay.report.tables.model import Cell, Link, Ratio, Table, Word
from assay.report.tables.write import heading, shown, word
from assay.version import VERSION

SECTIONS = (
    "hypotheses", "doubts", "results", "comparisons", "settings", "distribution", "timeline", "costs",
    "errors", "differences", "environment", "method", "runs", "again",
)  # fmt: skip
READABLE = 0.75  # how far a chart may shrink
FILES = {"en": "report.html", "zh": "report.zh.html"}


@dataclass(frozen=True)
class Shown:
    """A table cell for the template: text, then a badge (verdict word) or links."""

    text: str
    css: str
    badge: str = ""
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A chart for the template. Below `least_px` its letters could not be read, so it scrolls sideways."""

    chart: Chart
    svg: Markup
    least_px: int


def render_page(material: Material, tables: Sequence[Table], charts: Sequence[tuple[Chart, str]]) -> str:
    """Returns the page as HTML. `charts` come with their SVG."""
    words, study = material.words, material.study
    doubt = summary.biggest_doubt(material)
    figures = [_figure(chart, svg) for chart, svg in charts]
    sections = [
        (name, [f for f in figures if f.chart.section == name], [t for t in tables if t.section == name])
        for name in SECTIONS
    ]
    always = ("method",) if study.is_imported else ("method", "again")
    page = page_template("report.html.j2").render(
        w=words,
        title=words.title(study.title, study.name),
        study=study,
        version=VERSION,
        other_language=next(((name, file) for name, file in FILES.items() if name != words.language), None),
        opening=summary.opening(material),
        warnings=summary.warnings(material),
        answers=summary.answers(material),
        doubt=doubt,
        doubt_says=explain_doubt(words, doubt) if doubt else "",
        doubts=len(material.results.doubts),
        sections=[s for s in sections if s[1] or s[2] or s[0] in always],
        method=method.paragraphs(material),
        again=method.again(material),
        fragments=fragments(material),
        dark=style.DARK,
        cell=lambda cell, column: _cell(cell, column.kind, material),
        heading=lambda column: heading(column, words),
        verdict=lambda name: word(name, words),
    )
    return visible(page)


def _figure(chart: Chart, svg: str) -> Figure:
    width = re.search(r'<svg[^>]*\bwidth="([\d.]+)', svg)
    return Figure(chart, Markup(inline(svg, chart.name)), int(float(width[1]) * READABLE) if width else 0)


def _cell(cell: Cell, kind: str, material: Material) -> Shown:
    words = material.words
    match cell:
        case Ratio():
            figures = ratio_with_interval(cell.value, cell.low, cell.high)
            return Shown(figures, f"ratio v-{cell.word}", badge=word(cell.word, words))
        case Word():
            return Shown("", f"word v-{cell.word}", badge=word(cell.word, words))
        case Link():
            return Shown("", "links", links=(cell,))
        case tuple():
            return Shown("", "links", links=cell)
        case _:
            return Shown(shown(cell, words), kind)
