"""The whole way from a running server to a profile of its data."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.base.errors import InputError
from assay.base.format.job import ColumnProfile, TableProfile
from assay.base.wording import counted
from assay.design.data_profile import Heading, profile_text
from assay.design.study import did_you_mean
from assay.experiments.own.profile.catalogue import (
    SourceReference,
    SourceTable,
    given_references,
    source_tables,
)
from assay.experiments.own.profile.columns import Reading, column_profile
from assay.experiments.own.profile.fan_outs import key_profile, reference_profile
from assay.experiments.own.profile.sampling import Sample, row_count, sample
from assay.system.server import parse_dsn

if TYPE_CHECKING:
    from assay.system.server import Connection

_SESSION = (
    "SET SESSION TRANSACTION READ ONLY",
    "SET SESSION time_zone = '+00:00'",
    "SET SESSION sql_mode = ''",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT",
)
"""A session that cannot write, with the rows of one instant."""
_ANSWER_S = 600.0
_TELLS = 100
"""Rows of a table from which on it is no accident that a column repeats no value."""


@dataclass(frozen=True)
class Wanted:
    """What of a server is profiled. `rows`: how many rows of a table are read at most; `keep`: columns whose
    values may be in the file, as `table.column`; `references` beside those that the tables declare.
    """

    dsn: str
    rows: int
    tables: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class MadeProfile:
    """A profile as the text of its file, and what a person is told of it."""

    text: str
    tables: Sequence[TableProfile]
    read: dict[str, int]
    notes: tuple[str, ...]


def profile_of(wanted: Wanted, tell: Callable[[str], None] = lambda text: None) -> MadeProfile:
    """Reads the tables of a running server, and returns their profile. Raises the errors of the server, and
    InputError for what is not there.
    """
    address = parse_dsn(wanted.dsn)
    if address.database is None:
        raise InputError(
            f"{wanted.dsn}: names no database", hint="write it at the end, as dsn:mysql://user@host/shop"
        )
    with closing(address.connect(read_timeout_s=_ANSWER_S)) as connection:
        for statement in _SESSION:
            connection.rows(statement, columns=0)
        version = str(connection.rows("SELECT VERSION()")[0][0])
        tables = source_tables(connection, address.database, wanted.tables, wanted.without)
        _check_kept(wanted.keep, tables)
        more = given_references(wanted.references, tables)
        return _made(connection, address.database, wanted, tables, more, version, tell)


def _made(
    connection: Connection,
    database: str,
    wanted: Wanted,
    tables: Sequence[SourceTable],
    more: dict[str, list[SourceReference]],
    version: str,
    tell: Callable[[str], None],
) -> MadeProfile:
    key = secrets.token_bytes(32)
    found: list[TableProfile] = []
    read: dict[str, int] = {}
    notes = [note for one in tables for note in one.notes]
    counts = {one.name: row_count(connection, database, one, wanted.rows) for one in tables}
    for table in tables:
        name = table.name
        tell(name)
        taken = sample(
            connection,
            database,
            table,
            counts[name],
            wanted.rows,
            lambda count, name=name: tell(f"{name}: {counted(count, 'row')}"),  # type: ignore[misc]
        )
        read[name] = taken.read
        notes += _notes(table, taken)
        known = min(1.0, taken.read / taken.rows) if taken.rows else 1.0
        table = replace(table, unique=_unique(table, taken, more.get(name, ())))
        found.append(
            TableProfile(
                name=name,
                create=table.create,
                rows=taken.rows,
                columns=_columns(table, taken, Reading(key, frozenset(wanted.keep), known)),
                references=[
                    reference_profile(connection, database, table, one, taken, counts[one.table][0])
                    for one in (*table.references, *more.get(name, ()))
                ],
                keys=[key_profile(connection, database, table, one, taken) for one in table.unique],
            )
        )
    heading = Heading(version, read, {one.name: one.bytes for one in tables}, notes)
    return MadeProfile(profile_text(found, heading), found, read, tuple(notes))


def _unique(
    table: SourceTable, taken: Sample, more: Sequence[SourceReference]
) -> tuple[tuple[str, ...], ...]:
    """Returns the unique keys of a table. A key of several columns is the one that is unique by itself
    in all rows, where there is one: rows that are generated alike have the key too.
    """
    bound = {column for one in (*table.references, *more) for column in one.columns}

    def alone(column: str) -> bool:
        values = taken.columns[column]
        numbers = not table.column(column).is_text and None not in values
        return numbers and column not in bound and len(set(values)) == len(values)

    enough = taken.whole and taken.read >= _TELLS
    shorter = [next((one for one in key if enough and alone(one)), None) for key in table.unique]
    return tuple(
        dict.fromkeys(key if one is None else (one,) for key, one in zip(table.unique, shorter, strict=True))
    )


def _columns(table: SourceTable, taken: Sample, reading: Reading) -> list[ColumnProfile]:
    alone = {key[0] for key in table.unique if len(key) == 1}
    return [
        column_profile(table.name, column, taken.columns[column.name], reading, unique=column.name in alone)
        for column in table.columns
    ]


def _notes(table: SourceTable, taken: Sample) -> list[str]:
    found = []
    if not taken.whole and taken.rows > taken.read:
        how = "in stretches of the whole table" if taken.spread else "from its beginning"
        found.append(f"{table.name}: {counted(taken.read, 'row')} of {taken.rows:,} were read, {how}")
    if not taken.exact:
        found.append(f"{table.name}: its number of rows is the server's estimate")
    return found


def _check_kept(keep: Sequence[str], tables: Sequence[SourceTable]) -> None:
    known = [f"{table.name}.{column.name}" for table in tables for column in table.columns]
    for one in keep:
        if one not in known:
            raise InputError(f"--keep {one}: there is no such column{did_you_mean(one, known)}")
