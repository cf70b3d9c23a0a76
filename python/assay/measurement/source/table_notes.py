"""Reads and writes notes in a database that is not the lab's, which say how each of its tables was made.

A note belongs to one table as it was created: when somebody drops the table and makes another, the note no
longer counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from assay.design.folder import Scalar
from assay.measurement.source.dataset import DATA_SEED
from assay.system.server import Connection, quoted_name

NOTES = "assay_tables"
"""The table that holds the notes, in the database of the tables."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """How a table was made. `by` is "lab", or "found" for a table that existed already and looked like
    this.
    """

    workload: str
    options: dict[str, Scalar]  # all that shape rows, defaults filled in
    by: Literal["lab", "found"] = "lab"
    seed: int = DATA_SEED
    files_read: dict[str, str] = {}  # by a script that made it: their content by name

    def differences(self, workload: str, options: Mapping[str, Scalar]) -> Iterator[tuple[str, Scalar, Any]]:
        """Yields the options with different values in note and study: name, noted value, study's value."""
        for name, value in self.options.items():
            if name in options and str(options[name]).casefold() != str(value).casefold():
                yield name, value, options[name]


@dataclass(frozen=True)
class FoundTable:
    """A table as the server describes it. `indexes` is the number of its indexes that are not unique."""

    name: str
    engine: str
    created: str
    indexes: int
    note: Note | None


def found_tables(connection: Connection, database: str, names: Collection[str]) -> list[FoundTable]:
    """Returns the existing tables with these names, each with its valid note."""
    notes = _notes(connection, database)
    rows = connection.rows(
        "SELECT TABLE_NAME, ENGINE, CREATE_TIME FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s",
        (database,),
        columns=3,
    )
    indexes = Counter(
        str(name)
        for name, *_ in connection.rows(
            "SELECT DISTINCT TABLE_NAME, INDEX_NAME FROM information_schema.STATISTICS"
            " WHERE TABLE_SCHEMA = %s AND NON_UNIQUE = 1",
            (database,),
            columns=2,
        )
    )
    found = []
    for name, engine, created, *_ in rows:
        if name in names:
            at, note = notes.get(str(name), ("", None))
            kept = note if at == str(created) else None
            found.append(FoundTable(str(name), str(engine), str(created), indexes[str(name)], kept))
    return found


def write_notes(connection: Connection, database: str, names: Collection[str], note: Note) -> None:
    """Writes a note for each of these tables, after their load has ended."""
    text = msgspec.json.encode(note).decode()
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TABLE IF NOT EXISTS {_table(database)} (name VARCHAR(64) NOT NULL PRIMARY KEY,"
            " created VARCHAR(40) NOT NULL, made TEXT NOT NULL) DEFAULT CHARSET = utf8"
        )
        for table in found_tables(connection, database, names):
            cursor.execute(
                f"REPLACE INTO {_table(database)} VALUES (%s, %s, %s)", (table.name, table.created, text)
            )


def _notes(connection: Connection, database: str) -> dict[str, tuple[str, Note]]:
    there = connection.rows(
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s",
        (database, NOTES),
    )
    if not there:
        return {}
    notes = {}
    for name, created, made, *_ in connection.rows(
        f"SELECT name, created, made FROM {_table(database)}", columns=3
    ):
        try:
            notes[str(name)] = (str(created), msgspec.json.decode(str(made), type=Note))
        except msgspec.MsgspecError:
            continue  # somebody's own table of this name, or a later version's note: it says nothing
    return notes


def _table(database: str) -> str:
    return f"{quoted_name(database)}.{NOTES}"
