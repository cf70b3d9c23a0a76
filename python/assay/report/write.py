"""Writes the report beside the runs: pages, tables/, charts/."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.report.charts import build_charts
from assay.report.charts.chart import Chart
from assay.report.charts.render import records_csv, to_png, to_svg
from assay.report.material import Material
from assay.report.page import FILES, render_page
from assay.report.tables import build_tables
from assay.report.tables.model import Table
from assay.report.tables.write import to_csv, to_markdown
from assay.report.words import LANGUAGES, load_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from assay.folder import ResultsFolder
    from assay.study import Study
    from assay.verdict.results import Results


def write_report(
    study: Study,
    results: Results,
    store: duckdb.DuckDBPyConnection,
    folder: ResultsFolder,
    *,
    png: bool = False,
    languages: Sequence[str] = LANGUAGES,
) -> Path:
    """Writes a page a language, every table as CSV and Markdown, every chart as SVG (and PNG), into `folder`.

    Answers the path of the first language's page. What an earlier report left is overwritten; the runs are
    only read.
    """
    for language in languages:
        words = load_words(language, study.verdict.confidence)
        material = Material(study, results, store, folder, words.of_files() if study.on_files else words)
        tables = build_tables(material)
        charts = [(chart, to_svg(chart)) for chart in build_charts(material)]
        _write(folder.path / FILES[language], render_page(material, tables, charts))
        _write_tables(folder.path / "tables", tables, material)
        _write_charts(folder.path / "charts", charts, language, png=png)
    return folder.path / FILES[languages[0]]


def _write_tables(path: Path, tables: Sequence[Table], material: Material) -> None:
    """CSV has the same keys in every language, so one file; Markdown is for people, so one a language."""
    language = material.words.language
    for table in tables:
        _write(path / f"{table.name}{suffix(language)}.md", to_markdown(table, material.words))
        if language == "en" or not (path / f"{table.name}.csv").exists():
            _write(path / f"{table.name}.csv", to_csv(table))


def _write_charts(path: Path, charts: Sequence[tuple[Chart, str]], language: str, *, png: bool) -> None:
    for chart, svg in charts:
        _write(path / f"{chart.name}{suffix(language)}.svg", svg)
        if language == "en":
            _write(path / f"{chart.name}.csv", records_csv(chart))
            if png:  # in English only: a PNG has its letters drawn, and few servers have a Chinese font
                (path / f"{chart.name}.png").write_bytes(to_png(chart))


def suffix(language: str) -> str:
    """English has the plain name."""
    return "" if language == "en" else f".{language}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
