"""The table of runs in the order in which they were carried out, with the event files of their numbers."""

from __future__ import annotations

from datetime import UTC, datetime

from assay.reporting.report.material import Material
from assay.reporting.report.records.runs import run_records
from assay.reporting.report.tables.model import Column, Link, Table, Word, named_columns


def tables(material: Material) -> list[Table]:
    """Returns `runs`: one row a run, also for failed runs and those that were set aside."""
    words = material.words
    records = run_records(material)
    return [
        Table(
            "runs",
            "runs",
            words("runs.title"),
            (
                *named_columns(
                    words,
                    "column",
                    order="number",
                    block="number",
                    run="links",
                    treatment="text",
                    status="word",
                ),
                Column("started", words("column.started"), "UTC", kind="text"),
                Column("duration", words("column.duration"), "s"),
                *named_columns(words, "column", events="links", failure="prose"),
            ),
            tuple(
                (
                    order,
                    r.block,
                    Link(r.run_id, r.manifest),
                    r.treatment,
                    Word(r.status),
                    _started(r.started_ns),
                    r.seconds,
                    tuple(Link(f"{load:g}", path) for load, path in r.events),
                    r.failure,
                )
                for order, r in enumerate(records, start=1)
            ),
            note=words("runs.note"),
            empty=words("runs.empty"),
            folded=len(records) > 24,
        )
    ]


def _started(ns: int | None) -> str | None:
    return None if ns is None else f"{datetime.fromtimestamp(ns / 1e9, UTC):%Y-%m-%d %H:%M:%S}"
