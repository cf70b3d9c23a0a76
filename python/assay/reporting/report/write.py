"""Writes the report beside the runs: pages, tables/, charts/, settings/."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.inner_path import InnerPath
from assay.base.locks import locked
from assay.reporting.report.charts import build_charts
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.pictures import kept_svg
from assay.reporting.report.charts.render import records_csv, to_png
from assay.reporting.report.material import Material
from assay.reporting.report.my_cnf import fragments
from assay.reporting.report.page import FILES, render_page
from assay.reporting.report.tables import build_tables
from assay.reporting.report.tables.gates import gate_tables
from assay.reporting.report.tables.model import Table
from assay.reporting.report.tables.write import to_csv, to_markdown
from assay.reporting.report.words import LANGUAGES, load_words, suffix

_LOCK = ".report.lock"
_LIST = ".report.files"
"""Names of the files of the last report, a line each."""
_MADE = re.compile(r"(?:tables|charts|settings)/[^/\0]+\.(?:csv|md|svg|png|cnf)")

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    import duckdb

    from assay.design.study import Study
    from assay.reporting.report.material import Rows
    from assay.results.advice import ServerAdvice
    from assay.results.verdict import Gated, Results


def write_report(
    study: Study,
    results: Results,
    store: duckdb.DuckDBPyConnection,
    folder: Path,
    *,
    gated: Gated | None = None,
    png: bool = False,
    languages: Sequence[str] = LANGUAGES,
    advice: Sequence[ServerAdvice] = (),
    pictures: Path | None = None,
) -> Path:
    """Writes a page for each language, every table as CSV and Markdown, every chart as SVG (and PNG), and a
    fragment of my.cnf for each server of `advice`, into `folder`.

    Returns the path of the first language's page. Files of an earlier report are replaced one by one, each
    atomically, and those that this one does not have are removed; the runs are only read. Several processes
    may write at once. `pictures` is a folder that keeps drawn charts. `gated` is the outcome of the study's
    gates; None without gates, and where runs are missing.
    """
    made: dict[str, bytes] = {}
    answers: dict[tuple[str, str, str], Rows] = {}
    with ThreadPoolExecutor(1) as drawing:  # which waits for the process that draws, while the rest is made
        drafts = [
            _draft(replace(material, answers=answers), drawing, pictures, gated)
            for material in (material_in(language, study, results, store, advice) for language in languages)
        ]
        for material, tables, drawn in drafts:
            language, charts = material.words.language, list(drawn)
            made[FILES[language]] = render_page(material, tables, charts, languages=languages).encode()
            made = _tables(tables, material) | made  # the words in CSV are those of the first language
            made |= _charts(charts, language, records=language == languages[0], png=png)
            made |= {one.file: one.text.encode() for one in fragments(material)}
    _put(folder, made)
    return folder / FILES[languages[0]]


def _draft(
    material: Material,
    drawing: Executor,
    pictures: Path | None,
    gated: Gated | None,
) -> tuple[Material, Sequence[Table], Iterator[tuple[Chart, str]]]:
    """Returns what is written in one language: its tables, and its charts as they are drawn."""
    charts = build_charts(material)
    drawn = drawing.map(partial(kept_svg, folder=pictures), charts)
    gates = gate_tables(gated, material) if material.study.gates else ()
    return material, [*build_tables(material), *gates], zip(charts, drawn, strict=True)


def material_in(
    language: str,
    study: Study,
    results: Results,
    store: duckdb.DuckDBPyConnection,
    advice: Sequence[ServerAdvice] = (),
) -> Material:
    """Returns the input of charts and tables, with the words of one language.

    Advice is left out where no comparison has enough blocks for a word, and where Assay did not measure.
    """
    words = load_words(language, results.gate).of(study.subject.kind)
    if study.is_imported:
        return Material(study, results, store, words.of("imported"))
    return Material(study, results, store, words, advice=tuple(one for one in advice if one.is_judged))


def _tables(tables: Sequence[Table], material: Material) -> dict[str, bytes]:
    """Returns the files of tables: one CSV each, since its keys are the same in every language, and Markdown
    in each language.
    """
    made = {}
    for table in tables:
        made[f"tables/{table.name}{suffix(material.words.language)}.md"] = to_markdown(
            table, material.words
        ).encode()
        made[f"tables/{table.name}.csv"] = to_csv(table).encode()
    return made


def _charts(
    charts: Sequence[tuple[Chart, str]], language: str, *, records: bool, png: bool
) -> dict[str, bytes]:
    made = {}
    for chart, svg in charts:
        made[f"charts/{chart.name}{suffix(language)}.svg"] = svg.encode()
        if records:
            made[f"charts/{chart.name}.csv"] = records_csv(chart).encode()
        if png and language == "en":  # a PNG has its letters drawn, and few servers have a Chinese font
            made[f"charts/{chart.name}.png"] = to_png(chart)
    return made


def _put(folder: Path, made: Mapping[str, bytes]) -> None:
    """Moves every file to its place by rename; the files of one report stay together, whoever else writes."""
    place = InnerPath(folder, folder)
    place.mkdir(parents=True, exist_ok=True)
    with locked(folder / _LOCK):
        listed = place / _LIST
        before = listed.read_text(errors="replace").splitlines() if listed.is_file() else []
        for name in before:
            if name not in made and _is_ours(name):
                with suppress(OSError):
                    (place / name).unlink()
        # Named before they are written: what a killed one has left is known to the next.
        listed.write_bytes("".join(f"{name}\n" for name in made).encode())
        for inner in {name.rpartition("/")[0] for name in made}:
            (place / inner).mkdir(parents=True, exist_ok=True)
        for name, content in made.items():
            (place / name).write_bytes(content)


def _is_ours(name: str) -> bool:
    return name in FILES.values() or _MADE.fullmatch(name) is not None
