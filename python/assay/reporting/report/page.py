"""Writes the report's page: one HTML file that contains everything, loads nothing and needs no script."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from assay.base.numbers import ratio_with_interval
from assay.base.version import VERSION
from assay.reporting.report import headline, method, summary, sureness, where
from assay.reporting.report.charts import answer, style
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.render import inline
from assay.reporting.report.doubts_said import doubts_sentence
from assay.reporting.report.material import Material
from assay.reporting.report.my_cnf import fragments
from assay.reporting.report.page_templates import page_template
from assay.reporting.report.sections import Drawable, sections_of
from assay.reporting.report.tables.model import Cell, Doubted, Figure, Link, Origin, Ratio, Table, Word
from assay.reporting.report.tables.write import heading, shown, word
from assay.reporting.report.typesetting import typeset_page
from assay.reporting.report.words import LANGUAGES, Words

READABLE = 0.75  # how far a chart may shrink
FILES = {"en": "report.html", "zh": "report.zh.html"}


@dataclass(frozen=True)
class CellView:
    """A table cell for the template: text, then a badge (verdict word) or links.

    `raw` is the number behind the text with all its digits; None where the cell is not a number. `of`: the
    estimate that it shows.
    """

    text: str
    css: str
    badge: str = ""
    links: tuple[Link, ...] = ()
    raw: float | None = None
    of: Origin | None = None


@dataclass(frozen=True)
class DrawnFigure:
    """A chart for the template. Below `least_px` its letters could not be read, so it scrolls sideways."""

    chart: Chart
    svg: Markup
    least_px: int


def page_parts(material: Material, tables: Sequence[Table], figures: Sequence[Drawable]) -> dict[str, Any]:
    """Returns the contents of the report's page by name, for a template."""
    words, study = material.words, material.study
    drawn = next((one for one in figures if one.chart.section == answer.SECTION), None)
    claims = headline.claims(material)
    return {
        "w": words,
        "title": words.title(study.title, study.name),
        "study": study,
        "description": words.title(study.description, ""),
        "answer": headline.headline(material),
        "picture": drawn,
        "claims": claims[1:],
        "has_claims": bool(claims),
        "warnings": summary.warnings(material),
        "why": summary.why(material),
        "sure": [sureness.blocks_agree(material), doubts_sentence(words, material.results)],
        "has_doubts": bool(material.results.doubts),
        "where": where.where(material),
        "sections": sections_of(material, tables, figures),
        "method": [
            words.sentences(summary.opening(material)),
            *filter(None, [summary.chance(material)]),
            *method.paragraphs(material),
        ],
        "again": method.again(material),
        "fragments": fragments(material),
    }


def render_page(
    material: Material,
    tables: Sequence[Table],
    charts: Sequence[tuple[Chart, str]],
    *,
    languages: Sequence[str] = LANGUAGES,
) -> str:
    """Returns the page as HTML. `charts` come with their SVG; `languages` are those of the page and of the
    one that it leads to.
    """
    words = material.words
    page = page_template("report.html.j2").render(
        **page_parts(material, tables, [drawn_figure(chart, svg) for chart, svg in charts]),
        version=VERSION,
        other_language=next(((name, FILES[name]) for name in languages if name != words.language), None),
        dark=style.DARK,
        cell=lambda cell, column: shown_cell(cell, column.kind, words),
        heading=lambda column: heading(column, words),
        verdict=lambda name: word(name, words),
    )
    return typeset_page(page, words)


def page_style() -> str:
    """Returns the style sheet of the page, with the colours that charts have in dark mode."""
    return page_template("style.css.j2").render(dark=style.DARK)


def drawn_figure(chart: Chart, svg: str) -> DrawnFigure:
    """Returns a chart with its SVG in the form that is embedded in a page."""
    width = re.search(r'<svg[^>]*\bwidth="([\d.]+)', svg)
    least_px = int(float(width[1]) * READABLE) if width else 0
    return DrawnFigure(chart, Markup(inline(svg, chart.name)), least_px)


def shown_cell(cell: Cell, kind: str, words: Words) -> CellView:
    """Returns a cell of a column of this kind as a page shows it."""
    match cell:
        case Ratio():
            figures = ratio_with_interval(cell.value, cell.low, cell.high)
            badge = word(cell.word, words)
            return CellView(figures, f"ratio v-{cell.word}", badge=badge, raw=cell.value, of=cell.of)
        case Figure():
            return CellView(shown(cell, words), kind, raw=cell.value, of=cell.of)
        case Word():
            return CellView("", f"word v-{cell.word}", badge=word(cell.word, words))
        case Link():
            return CellView("", "links", links=(cell,))
        case Doubted(names) if names:
            return CellView("", "links", links=(cell.mark,))
        case tuple():
            return CellView("", "links", links=cell)
        case bool():
            return CellView(shown(cell, words), kind)
        case int() | float():
            return CellView(shown(cell, words), kind, raw=cell if math.isfinite(cell) else None)
        case _:
            return CellView(shown(cell, words), kind)
