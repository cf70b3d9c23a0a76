"""Tables of a database with what their profile needs to know: columns with forms, unique keys, references."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from assay.base.errors import InputError
from assay.base.format.job import (
    BytesValueForm,
    DateValueForm,
    DecimalValueForm,
    FloatValueForm,
    JsonValueForm,
    MomentValueForm,
    PointValueForm,
    TextValueForm,
    TimeValueForm,
    UuidValueForm,
    ValueForm,
    WholeValueForm,
)
from assay.base.wording import counted
from assay.design.study import did_you_mean
from assay.experiments.own.conditions import limits_of
from assay.experiments.own.profile.ddl import plain_create
from assay.experiments.own.schema import Column
from assay.experiments.own.statements import Part
from assay.system.server import HAS_ROWS, quoted_name

if TYPE_CHECKING:
    from assay.system.server import Connection

_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
_TEXTS = ("char", "varchar", "tinytext", "text", "mediumtext", "longtext")
_BYTES = ("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob")
_JSON = re.compile(r"json_valid\s*\(\s*`((?:[^`]|``)*)`\s*\)", re.I)
_GENERATED = re.compile(r"\b(?:VIRTUAL|PERSISTENT|STORED)\b", re.I)
"""Words of information_schema for a column that the server computes, in all flavours and versions. MySQL 8
calls a default by expression DEFAULT_GENERATED.
"""
SHOWN_CHARS = 200
"""Characters of a text that are read; a longer one is told from others by its hash."""
_LENGTH = re.compile(r"(?:var)?(?:char|binary)\((\d+)\)")
_FLOAT_DIGITS = 6
_MOST_SECONDS = 838 * 3600
_REFERENCE = re.compile(r"([\w$]+)\.?\(?([\w$, ]+)\)?=([\w$]+)\.?\(?([\w$, ]+)\)?")


@dataclass(frozen=True)
class SourceColumn:
    """A column; `read` is the expression that reads it, in units or as text. `limits` are the units that its
    type holds, where that is less than any number; `is_short`: no text of it is longer than what is read.
    """

    name: str
    form: ValueForm
    read: str
    is_enumeration: bool = False
    is_text: bool = False
    limits: tuple[int, int] | None = None
    is_short: bool = False


@dataclass(frozen=True)
class SourceReference:
    columns: tuple[str, ...]
    table: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class SourceTable:
    """A table. `unique` has its unique keys, the primary one first; `primary` is empty where it has none."""

    name: str
    create: str
    columns: tuple[SourceColumn, ...]
    primary: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...]
    references: tuple[SourceReference, ...]
    bytes: int
    estimated_rows: int
    notes: tuple[str, ...] = ()

    def column(self, name: str) -> SourceColumn:
        return next(one for one in self.columns if one.name == name)


def source_tables(
    connection: Connection, database: str, wanted: Sequence[str], left_out: Sequence[str]
) -> list[SourceTable]:
    """Returns the tables of a database, those that others refer to first. Raises InputError for a table that
    is not there, and for columns of which no values can be generated.
    """
    sizes = {
        str(name): (int(length or 0) + int(index or 0), int(rows or 0))
        for name, length, index, rows in connection.rows(
            "SELECT table_name, data_length, index_length, table_rows FROM information_schema.tables"
            f" WHERE table_schema = %s AND {HAS_ROWS} ORDER BY table_name",
            [database],
            columns=4,
        )
    }
    for name in [*wanted, *left_out]:
        if name not in sizes:
            raise InputError(f"{database} has no table {name}{did_you_mean(name, sizes)}")
    names = [name for name in sizes if (not wanted or name in wanted) and name not in left_out]
    if not names:
        raise InputError(
            f"{database} has no table", hint="name a database that has some at the end of the DSN"
        )
    unique = _unique(connection, database)
    references = _references(connection, database)
    tables = [
        _table(connection, database, name, sizes[name], unique.get(name, {}), references.get(name, []), names)
        for name in names
    ]
    return _parents_first(tables)


def given_references(texts: Sequence[str], tables: Sequence[SourceTable]) -> dict[str, list[SourceReference]]:
    """Returns references that a person names, by table: `orders.customer=customers.id`, or
    `lines(w, o)=orders(w, id)`. Raises InputError for others.
    """
    found: dict[str, list[SourceReference]] = defaultdict(list)
    columns = {one.name: [column.name for column in one.columns] for one in tables}
    for text in texts:
        parts = _REFERENCE.fullmatch(text.replace(" ", ""))
        if parts is None:
            raise InputError(
                f"--reference {text}: expected TABLE.COLUMN=TABLE.COLUMN",
                hint='as in orders.customer=customers.id, or "lines(shop,number)=orders(shop,id)"',
            )
        child, own, parent, theirs = parts[1], parts[2].split(","), parts[3], parts[4].split(",")
        for table, names in ((child, own), (parent, theirs)):
            if table not in columns:
                raise InputError(
                    f"--reference {text}: there is no table {table}{did_you_mean(table, columns)}"
                )
            for name in names:
                if name not in columns[table]:
                    near = did_you_mean(name, columns[table])
                    raise InputError(f"--reference {text}: {table} has no column {name}{near}")
        if len(own) != len(theirs):
            raise InputError(f"--reference {text}: needs as many columns on either side")
        found[child].append(SourceReference(tuple(own), parent, tuple(theirs)))
    return found


def _table(
    connection: Connection,
    database: str,
    name: str,
    size: tuple[int, int],
    unique: Mapping[str, tuple[str, ...]],
    references: Sequence[SourceReference],
    names: Sequence[str],
) -> SourceTable:
    shown = str(connection.rows(f"SHOW CREATE TABLE {quoted_name(database, name)}", columns=2)[0][1])
    json_columns = set(_JSON.findall(shown))
    columns = []
    notes = []
    for row in connection.rows(
        "SELECT column_name, data_type, column_type, COALESCE(numeric_precision, 0),"
        " COALESCE(numeric_scale, 0),"
        " COALESCE(datetime_precision, 0), is_nullable, COALESCE(extra, '')"
        " FROM information_schema.columns WHERE table_schema = %s AND table_name = %s"
        " ORDER BY ordinal_position",
        [database, name],
        columns=8,
    ):
        column, kind, whole, width, scale, precision, nullable, extra = map(str, row)
        if _GENERATED.search(extra):
            continue
        digits = int(width), int(scale), int(precision)
        made = _column(column, kind.lower(), whole.lower(), digits, column in json_columns)
        if made is not None:
            columns.append(made)
        elif nullable == "NO":
            raise InputError(
                f"{name}.{column}: values of the type {whole} cannot be generated",
                hint=f"leave the table out: --without {name}",
            )
        else:
            notes.append(f"{name}.{column}: values of the type {whole} cannot be generated; all are NULL")
    keys = [unique["PRIMARY"]] if "PRIMARY" in unique else []
    keys += [key for index, key in unique.items() if index != "PRIMARY"]
    known = {one.name for one in columns}
    bound = {column for one in references for column in one.columns}
    # A key has room for no more rows than its condition has numbers.
    heeded = HeededConditions(columns, bound.union(*unique.values()))
    create, checks = plain_create(shown, heeded.heeds)
    columns = [replace(one, form=heeded.forms[one.name]) for one in columns]
    if checks:
        left = counted(checks, "CHECK condition is", "CHECK conditions are")
        notes.append(f"{name}: {left} left out, as generated values may break them")
    for index, key in unique.items():
        if not known.issuperset(key):
            notes.append(f"{name}: its unique key {index} has parts of which no values are generated")
    for one in references:
        if one.table not in names:
            notes.append(f"{name}: refers to {one.table}, which is not in this file")
        elif not known.issuperset(one.columns):
            notes.append(f"{name}: refers to {one.table} by columns of which no values are generated")
    return SourceTable(
        name=name,
        create=create,
        columns=tuple(columns),
        primary=unique.get("PRIMARY", ()),
        unique=tuple(key for key in keys if known.issuperset(key)),
        references=tuple(one for one in references if one.table in names and known.issuperset(one.columns)),
        bytes=size[0],
        estimated_rows=size[1],
        notes=tuple(notes),
    )


class HeededConditions:
    """Columns of whole numbers, whose values are kept within CHECK conditions; `forms` has those of all
    columns. The values of `others` are those of a key or of other columns.
    """

    def __init__(self, columns: Sequence[SourceColumn], others: Container[str]) -> None:
        self.forms = {one.name: one.form for one in columns}
        self._columns = {
            one.name.lower(): Column(one.name, "bigint")
            for one in columns
            if isinstance(one.form, WholeValueForm) and not one.is_enumeration and one.name not in others
        }

    def heeds(self, condition: Sequence[Part]) -> bool:
        """Returns whether values heed a condition from here on."""
        found = limits_of(condition, self._columns)
        if not found or any(one.values is not None or one.is_json or one.longest for one in found.values()):
            return False
        for name, limits in found.items():
            column = self._columns[name].name
            form = self.forms[column]
            assert isinstance(form, WholeValueForm)
            ends = limits.within(Decimal(form.least), Decimal(form.most), Decimal(1), Decimal(form.most))
            if ends is None:
                return False
            self.forms[column] = WholeValueForm(least=int(ends[0]), most=int(ends[1]))
        return True


def _column(
    name: str, kind: str, whole: str, digits: tuple[int, int, int], is_json: bool
) -> SourceColumn | None:
    """Returns a column with its form; None for a type of which no values are generated. `digits` are those of
    the type: all, those after the point, those of a second.
    """
    own = quoted_name(name)
    width, scale, precision = digits
    if kind in _BITS:
        bits = _BITS[kind]
        signed = "unsigned" not in whole
        least = -(2 ** (bits - 1)) if signed else 0
        return SourceColumn(name, WholeValueForm(least=least, most=2 ** (bits - signed) - 1), own)
    match kind:
        case "enum" | "set" | "bit" | "year":
            form = WholeValueForm(least=0, most=2**64 - 1)
            return SourceColumn(name, form, f"{own} + 0", is_enumeration=kind != "bit")
        case "decimal":
            most = 10**width - 1
            least = 0 if "unsigned" in whole else -most
            return SourceColumn(name, DecimalValueForm(digits=scale), own, limits=(least, most))
        case "float" | "double":
            return SourceColumn(name, FloatValueForm(digits=_FLOAT_DIGITS), own)
        case "date":
            return SourceColumn(name, DateValueForm(), f"DATEDIFF({own}, '1970-01-01')")
        case "datetime" | "timestamp":
            micros = f"TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', {own})"
            read = f"{micros} DIV {10 ** (6 - precision)}"
            limits = (10**precision, (2**31 - 1) * 10**precision) if kind == "timestamp" else None
            return SourceColumn(name, MomentValueForm(digits=precision), read, limits=limits)
        case "time":
            seconds = f"TIME_TO_SEC({own})"
            parts = f"{seconds} * {10**precision}" if precision else seconds
            most = _MOST_SECONDS * 10**precision
            return SourceColumn(name, TimeValueForm(digits=precision), parts, limits=(-most, most))
        case "json":
            return SourceColumn(name, JsonValueForm(), own, is_text=True)
        case "uuid":
            return SourceColumn(name, UuidValueForm(), own, is_text=True)
        case "point" | "geometry":
            return SourceColumn(name, PointValueForm(), f"ST_AsText({own})", is_text=True)
    length = _LENGTH.match(whole)
    is_short = length is not None and int(length[1]) <= SHOWN_CHARS
    if kind in _TEXTS:
        text_form = JsonValueForm() if is_json else TextValueForm()
        return SourceColumn(name, text_form, own, is_text=True, is_short=is_short)
    if kind in _BYTES:
        return SourceColumn(name, BytesValueForm(), own, is_text=True, is_short=is_short)
    return None


def _unique(connection: Connection, database: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Returns the unique keys of each table, by name."""
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for table, index, column in connection.rows(
        "SELECT table_name, index_name, column_name FROM information_schema.statistics"
        " WHERE table_schema = %s AND non_unique = 0 ORDER BY table_name, index_name, seq_in_index",
        [database],
        columns=3,
    ):
        keys = found[str(table)]
        keys[str(index)] = (*keys.get(str(index), ()), str(column))
    return found


def _references(connection: Connection, database: str) -> dict[str, list[SourceReference]]:
    parts: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for table, constraint, column, other, to in connection.rows(
        "SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name"
        " FROM information_schema.key_column_usage WHERE table_schema = %s"
        " AND referenced_table_schema = %s ORDER BY table_name, constraint_name, ordinal_position",
        [database, database],
        columns=5,
    ):
        parts[str(table), str(constraint)].append((str(column), str(other), str(to)))
    found: dict[str, list[SourceReference]] = defaultdict(list)
    for (table, _), columns in parts.items():
        own, others, to = zip(*columns, strict=True)
        found[table].append(SourceReference(own, others[0], to))
    return found


def _parents_first(tables: Sequence[SourceTable]) -> list[SourceTable]:
    """Returns tables so that those come first that others refer to, unless they do so in a circle."""
    left = list(tables)
    found: list[SourceTable] = []
    while left:
        done = {one.name for one in found}
        free = [one for one in left if {of.table for of in one.references} <= done | {one.name}]
        found += free or left[:1]
        left = [one for one in left if one not in found]
    return found
