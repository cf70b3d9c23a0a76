"""The tables of imported runs: the files, the tool's settings, and every figure as the tool printed it."""

from __future__ import annotations

from assay.reporting.report.material import MAIN, Material
from assay.reporting.report.tables.model import Column, Link, Table, named_columns


def tables(material: Material) -> list[Table]:
    """Returns `imported-files`, `imported-settings` and `imported-figures`; none for runs that Assay carried
    out.
    """
    if not material.study.is_imported:
        return []
    words = material.words
    files = material.rows(f"SELECT * FROM {MAIN}.sources ORDER BY run_id, name")
    settings = material.rows(f"SELECT DISTINCT run_id, key, value FROM {MAIN}.facts ORDER BY run_id, key")
    printed = material.rows(
        f"SELECT * FROM {MAIN}.printed ORDER BY block, load, run_id, file, place, measure"
    )
    return [
        Table(
            "runs",
            "imported-files",
            words("imported.files-title"),
            (
                Column("run", words("column.run"), kind="text"),
                *named_columns(words, "imported", tool="text", version="text", file="links"),
                Column("sha256", "SHA-256", kind="text"),
            ),
            tuple(
                (row["run_id"], row["tool"], row["version"], Link(row["name"], row["file"]), row["sha256"])
                for row in files
            ),
            note=words("imported.files-note"),
        ),
        Table(
            "runs",
            "imported-settings",
            words("imported.settings-title"),
            (
                *named_columns(words, "column", run="text", setting="text"),
                Column("value", words("imported.value"), kind="text"),
            ),
            tuple((row["run_id"], row["key"], row["value"]) for row in settings),
            note=words("imported.settings-note"),
            empty=words("imported.settings-empty"),
            folded=True,
        ),
        Table(
            "runs",
            "imported-figures",
            words("imported.figures-title"),
            (
                *named_columns(words, "column", run="text", measure="text"),
                *named_columns(words, "imported", unit="text", printed="text", value="text"),
                Column("derived", words("imported.how"), kind="text"),
                Column("place", words("imported.place"), kind="text"),
            ),
            tuple(
                (
                    row["run_id"],
                    row["measure"],
                    row["unit"],
                    row["text"],
                    _digits(row["value"]),
                    row["how"],
                    f"{row['file']}: {row['place']}",
                )
                for row in printed
            ),
            note=words("imported.figures-note"),
            folded=True,
        ),
    ]


def _digits(value: float) -> str:
    """Returns a value with all its digits: it can be compared with what was printed."""
    return str(int(value)) if value.is_integer() else repr(value)
