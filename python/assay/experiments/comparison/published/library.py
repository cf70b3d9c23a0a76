"""Reads the five published reports from the package: their tables, claims, charts and environments."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.design.study import Work, work_of
from assay.experiments.comparison.published.tables import PublishedTable, read_table

_ABOUT = {"charts", "claims", "environments", "figures_in_prose"}


@dataclass(frozen=True)
class PublishedClaim:
    """One conclusion of a report.

    `hypothesis` is the report's statement in short; `expressions` state it in the language of claims, and all
    of them must hold. `is_absolute`: it names a rate, a time or a load of the machine that the report
    measured, which another machine can refute for itself only. `not_testable`: by language, why no study
    tests it.
    """

    id: str
    report: str
    source_line: int
    kind: str
    hypothesis: str
    scope: str
    expressions: tuple[str, ...]
    is_absolute: bool = False
    not_testable: Mapping[str, str] | None = None


@dataclass(frozen=True)
class PublishedChart:
    """A chart of a report. Its picture is lost; `tables` have its numbers, where any do.

    `measure`: the one measure that it drew of these tables; empty where each measure had a chart of its own.
    """

    name: str
    report: str
    source_line: int
    kind: str
    x_axis: str
    x_ladder: str
    y_axis: str
    series: str
    note: str
    tables: tuple[str, ...] = ()
    measure: str = ""


@dataclass(frozen=True)
class Fact:
    """A fact that a report states about the machine or software it measured."""

    host: str
    attribute: str
    value: str
    source_line: int


@dataclass(frozen=True)
class ProseFigure:
    """A figure that stands only in a report's running text."""

    quantity: str
    value: str
    unit: str
    condition: str
    source_line: int


@dataclass(frozen=True)
class NameHere:
    """The name that studies give to something that the reports vary; `levels` maps printed levels to the
    studies'.
    """

    name: str
    levels: Mapping[str, str]


@dataclass(frozen=True)
class PublishedReport:
    """One published report with everything that survives of it. `subject` is by language."""

    id: str
    subject: Mapping[str, str]
    tables: tuple[PublishedTable, ...]
    claims: tuple[PublishedClaim, ...]
    charts: tuple[PublishedChart, ...]
    environment: tuple[Fact, ...]
    prose: tuple[ProseFigure, ...]


@cache
def published_reports() -> tuple[PublishedReport, ...]:
    """The five reports, 000 to 004."""
    about, said = _toml("reports"), _toml("claims")
    tables = [read_table(stem, _text(f"{stem}.csv")) for stem in sorted(_stems()) if stem not in _ABOUT]
    rows = {name: _by_report(name) for name in _ABOUT}
    return tuple(
        PublishedReport(
            id=id,
            subject=subject,
            tables=tuple(table for table in tables if table.report == id),
            claims=tuple(_claim(id, row, said) for row in rows["claims"].get(id, ())),
            charts=tuple(_chart(id, row, about["charts"]) for row in rows["charts"].get(id, ())),
            environment=tuple(
                Fact(row["host"], row["attribute"], row["value"], int(row["source_line"]))
                for row in rows["environments"].get(id, ())
            ),
            prose=tuple(
                ProseFigure(
                    row["quantity"], row["value"], row["unit"], row["condition"], int(row["source_line"])
                )
                for row in rows["figures_in_prose"].get(id, ())
            ),
        )
        for id, subject in about["reports"].items()
    )


def find_published(id: str) -> PublishedReport | PublishedTable:
    """Returns the report or the table with this id: 002, 002_02, 002_space_usage. Raises InputError when
    there is none.
    """
    there: dict[str, PublishedReport | PublishedTable] = {}
    for report in published_reports():
        there |= {report.id: report, **{table.id: table for table in report.tables}}
    found = there.get(id)
    if found is None:
        near = [table.id for report in published_reports() for table in report.tables if id[:3] == report.id]
        raise InputError(
            f"{id!r} is neither a published report nor a published table",
            hint=f"report {id[:3]} has the tables {', '.join(near)}"
            if near
            else "list them: assay published list",
        )
    return found


def find_table(id: str) -> PublishedTable:
    """Returns the published table with this id. Raises InputError when there is none."""
    found = find_published(id)
    if isinstance(found, PublishedReport):
        raise InputError(
            f"{id} is a report, not a table",
            hint=f"it has {', '.join(one.id for one in found.tables)}"
            if found.tables
            else "it published no table: its figures stand in its text and its claims",
        )
    return found


def published_claims() -> dict[str, PublishedClaim]:
    """Returns every claim of every report by its id, H000-01 to H004-12."""
    return {claim.id: claim for report in published_reports() for claim in report.claims}


def tables_repeated_by(study: str) -> tuple[str, ...]:
    """Returns the ids of the tables that the study of this name repeats; none for other studies."""
    return tuple(_toml("reports")["repeats"].get(study, ()))


def work_of_table(id: str) -> Work:
    """Returns the kind of work that a table is about; the workload is unknown where its report does not say
    it.
    """
    uses = [use for use, tables in _toml("reports")["workloads"].items() if id in tables]
    return work_of(uses) if uses else Work("server")


def tables_of(work: Work) -> tuple[str, ...]:
    """Returns the ids of the tables with figures of this kind of work."""
    tables = (table for report in published_reports() for table in report.tables if table.cells)
    return tuple(table.id for table in tables if work_of_table(table.id).is_like(work))


@cache
def names_here() -> dict[str, NameHere]:
    """Returns the names that studies give to axes of the published tables, where they differ."""
    here = _toml("reports")["here"]
    return {axis: NameHere(said["name"], said.get("levels", {})) for axis, said in here.items()}


def _claim(report: str, row: Mapping[str, str], said: Mapping[str, Any]) -> PublishedClaim:
    id = row["claim"]
    return PublishedClaim(
        id=id,
        report=report,
        source_line=int(row["source_line"]),
        kind=row["kind"],
        hypothesis=row["hypothesis"],
        scope=row["scope"],
        expressions=tuple(said["claims"][id]),
        is_absolute=id in said["absolute"],
        not_testable=said["not_testable"].get(id),
    )


def _chart(report: str, row: Mapping[str, str], drawn: Mapping[str, Any]) -> PublishedChart:
    of = drawn.get(row["chart"], {})
    return PublishedChart(
        name=row["chart"],
        report=report,
        source_line=int(row["source_line"]),
        kind=row["kind"],
        x_axis=row["x_axis"],
        x_ladder=row["x_ladder"],
        y_axis=row["y_axis"],
        series=row["series"],
        note=row["note"],
        tables=tuple(of.get("tables", ())),
        measure=of.get("measure", ""),
    )


def _by_report(name: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(_text(f"{name}.csv"))):
        found.setdefault(row["study"][:3], []).append(row)
    return found


def data_folder() -> Path:
    """Returns the folder with the reports' figures as CSV files."""
    return Path(str(resources.files(__package__) / "data"))


def _stems() -> list[str]:
    names = [entry.name for entry in data_folder().iterdir()]
    return [name.removesuffix(".csv") for name in names if name.endswith(".csv")]


def _text(name: str) -> str:
    return (data_folder() / name).read_text(encoding="utf-8")


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(_text(f"{name}.toml"))
