"""The kinds of marked parts: a function and a line in `PARTS` each. A part returns Markdown."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from assay.base.errors import InputError
from assay.base.wording import duration
from assay.experiments.comparison import compare, comparison_tables, grid_of, picture, published
from assay.experiments.document.desk import Desk
from assay.experiments.document.marks import Mark
from assay.reporting.report import Column, Table, Word, named_columns, to_svg
from assay.results.audit import Finding, audit

_T = TypeVar("_T")
_PUBLISHED = "published:"
_KINDS = ("doubt-machine", "doubt-kinds", "doubt-harmless")
_SHOWN = ("picture", "cells", "shapes")


def _table(mark: Mark, desk: Desk) -> str:
    """`table STUDY NAME [columns=KEY,KEY]`: a table of the study's report."""
    study, name = _arguments(mark, "STUDY", "NAME")
    table = _named(desk.results(study).tables, name, f"{study} has no table")
    columns = _options(mark, "columns").get("columns")
    if columns is not None:
        table = _only(table, columns.split(","))
    return desk.markdown(table)


def _chart(mark: Mark, desk: Desk) -> str:
    """`chart STUDY NAME`: a chart of the study's report, as a picture beside the document, under its
    sentence.
    """
    study, name = _arguments(mark, "STUDY", "NAME")
    _options(mark)
    chart = _named(desk.results(study).charts, name, f"{study} has no chart")
    picture = desk.picture(f"{study}-{name}", to_svg(chart), chart.title)
    return f"**{chart.says}**\n\n{picture}\n\n{chart.caption}"


def _set_up(mark: Mark, desk: Desk) -> str:
    """`set-up STUDY…`: what was run, a row a study."""
    _options(mark)
    w = desk.words
    rows = []
    for study in mark.arguments:
        found = desk.results(study)
        facts = found.set_up
        rows.append(
            (
                study,
                found.title,
                facts["servers"] or None,
                facts["treatments"],
                facts["rungs"],
                facts["blocks"],
                time.strftime("%Y-%m-%d %H:%M", time.gmtime(float(facts["began_s"]))),
                duration(float(facts["took_s"])),
            )
        )
    keys = ("study", "asks", "servers", "treatments", "rungs", "blocks", "began", "took")
    kinds = ("code", "prose", "text", "number", "number", "number", "text", "text")
    return desk.markdown(
        Table(
            section="",
            name="set-up",
            title=w("document.set-up"),
            columns=tuple(
                Column(key, w(f"document.{key}"), kind=kind) for key, kind in zip(keys, kinds, strict=True)
            ),
            rows=tuple(rows),
            empty=w("published.none"),
        ),
        titled=False,
    )


def _doubts(mark: Mark, desk: Desk) -> str:
    """`doubts STUDY…`: the doubts by kind, a row for each study and kind."""
    _options(mark)
    found = {study: desk.results(study).tables for study in mark.arguments}
    rows = [
        (study, *row)
        for study, tables in found.items()
        for name in _KINDS
        if name in tables
        for row in tables[name].rows
    ]
    if not rows:
        return desk.words("doubts.empty")
    any_kinds = next(tables[name] for tables in found.values() for name in _KINDS if name in tables)
    study = Column("study", desk.words("document.study"), kind="code")
    return desk.markdown(
        replace(any_kinds, columns=(study, *any_kinds.columns), rows=tuple(rows)), titled=False
    )


def _compare(mark: Mark, desk: Desk) -> str:
    """`compare STUDY STUDY|published:TABLE [show=picture,cells,shapes] [measures=…] [AXIS=LEVEL]`: both on
    the same axes.
    """
    left, right = _arguments(mark, "STUDY", "STUDY|published:TABLE")
    options = dict(mark.options)
    shown = options.pop("show", "picture,shapes").split(",")
    if unknown := [one for one in shown if one not in _SHOWN]:
        raise InputError(f"{unknown[0]!r} cannot be shown", hint=f"show has {', '.join(_SHOWN)}")
    measures = [one for one in options.pop("measures", "").split(",") if one]
    sides = [
        grid_of(one if one.startswith(_PUBLISHED) else str(desk.folder(one).path)) for one in (left, right)
    ]
    ours, theirs = (replace(grid, name=name) for grid, name in zip(sides, (left, right), strict=True))
    found = compare(ours, theirs, measures, options)
    pieces = []
    if "picture" in shown:
        name = "-".join([left, right.removeprefix(_PUBLISHED), *measures, *options.values()])
        caption = desk.words("beside.cells", left=left, right=right)
        pieces.append(desk.picture(name, picture(found, desk.language), caption))
    tables = {table.name: table for table in comparison_tables(found, desk.words)}
    pieces += [desk.markdown(tables[name]) for name in _SHOWN if name in shown and name in tables]
    return "\n\n".join(piece.strip() for piece in pieces)


def _claims(mark: Mark, desk: Desk) -> str:
    """`claims REPORT`: what became of each claim of a published report."""
    (report,) = _arguments(mark, "REPORT")
    _options(mark)
    found = published.tally(desk.roots)
    states = tuple(state for state in found.states if state.claim.report == report)
    tables = published.tally_tables(replace(found, states=states), desk.words)
    return "\n".join(desk.markdown(table) for table in tables if table.rows)


def _audit(mark: Mark, desk: Desk) -> str:
    """`audit REPORT`: the audit's findings on a published report's own figures."""
    (report,) = _arguments(mark, "REPORT")
    _options(mark)
    w = desk.words
    place = published.data_folder()
    findings = [one for one in audit(_files_of(report, place)).findings if _is_of(one, report, place)]
    return desk.markdown(
        Table(
            section="",
            name="audit",
            title=w("document.audit"),
            columns=(
                Column("severity", w("column.severity"), kind="word"),
                *named_columns(w, "document", place="prose", printed="prose", expected="prose"),
                Column("reason", w("document.signs"), kind="prose"),
            ),
            rows=tuple(
                (
                    Word(one.severity),
                    f"{one.file}, {one.row}, {one.column}",
                    one.printed,
                    one.expected,
                    "; ".join(filter(None, (one.sign, one.second_sign))),
                )
                for one in findings
            ),
            note=w("document.audit-note"),
            empty=w("published.none"),
        ),
        titled=False,
    )


PARTS: Mapping[str, Callable[[Mark, Desk], str]] = {
    "table": _table,
    "chart": _chart,
    "set-up": _set_up,
    "doubts": _doubts,
    "compare": _compare,
    "claims": _claims,
    "audit": _audit,
}


def _files_of(report: str, place: Path) -> list[Path]:
    """Returns the files of a report and those of all reports, without the files of the others: they have no
    finding about this one, and take most of the time.
    """
    return [one for one in sorted(place.iterdir()) if not one.name[:3].isdigit() or one.name[:3] == report]


def _is_of(finding: Finding, report: str, place: Path) -> bool:
    """Returns whether a finding is about this report: by its file, or its line in a file of all reports."""
    if finding.file[:3].isdigit():
        return finding.file.startswith(f"{report}_")
    lines = (place / finding.file).read_text(encoding="utf-8").splitlines()
    return f"{report}_" in lines[finding.line - 1]


def _arguments(mark: Mark, *names: str) -> tuple[str, ...]:
    if len(mark.arguments) != len(names):
        raise InputError(
            f"{mark.kind} needs {len(names)} words, and has {len(mark.arguments)}",
            hint=f"<!-- assay: {mark.kind} {' '.join(names)} -->",
        )
    return mark.arguments


def _options(mark: Mark, *names: str) -> dict[str, str]:
    options = dict(mark.options)
    if unknown := [name for name in options if name not in names]:
        raise InputError(
            f"{mark.kind} has no option {unknown[0]!r}",
            hint=f"it has {', '.join(names)}" if names else "it has none",
        )
    return options


def _named(known: Mapping[str, _T], name: str, missing: str) -> _T:
    if name not in known:
        raise InputError(f"{missing} {name!r}", hint=f"it has {', '.join(known)}")
    return known[name]


def _only(table: Table, keys: Sequence[str]) -> Table:
    """Returns a table with these columns, in this order."""
    at = {column.key: number for number, column in enumerate(table.columns)}
    keep = [_named(at, key, f"the table {table.name} has no column") for key in keys]
    return replace(
        table,
        columns=tuple(table.columns[number] for number in keep),
        rows=tuple(tuple(row[number] for number in keep) for row in table.rows),
    )
