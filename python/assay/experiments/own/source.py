"""The source of a first file, and the tables that it knows from files or a server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import InputError
from assay.base.packed import unpacked
from assay.base.wording import counted
from assay.design.plan import OwnData
from assay.design.study import DUMP, did_you_mean
from assay.experiments.own.altering import altered
from assay.experiments.own.reading import statements_of
from assay.experiments.own.schema import Table, Tables, table_of, tables_of_server
from assay.experiments.own.statements import ReadStatement, Shape
from assay.experiments.own.unfit import INSTEAD
from assay.measurement.source import dataset
from assay.system.server import OF_SERVER, parse_dsn

_FILLS = ("INSERT", "REPLACE")
_ENDS = ("unended", "endless")
"""What the engine says where it could not read on."""


@dataclass(frozen=True)
class Source:
    """What a file is made of: a file or `dsn:…`, and where the tables are known from, if anywhere."""

    origin: str
    schema: Path | None = None
    dsn: str | None = None
    database: str | None = None


def database_of_dsn(source: Source) -> str | None:
    """Returns the database of the server that a source names; None where it names none."""
    for dsn in (source.dsn, source.origin if source.origin.startswith("dsn:") else None):
        if dsn is not None:
            return parse_dsn(dsn).database
    return None


class SchemaTexts:
    """The statements that make and change tables, in their order. Where they make those of several databases,
    which one is taken may be known last.
    """

    def __init__(self, path: Path, tables: Tables | None = None) -> None:
        self._path = path
        self._known = tables
        self._of_schema: list[ReadStatement] = []
        self._of_source: list[ReadStatement] = []
        self._folder_database: str | None = None
        self._left_out: list[str] = []
        self._have_rows = False

    def add(self, one: ReadStatement) -> None:
        """Takes the next statement of the source itself."""
        self._of_source.append(one)

    def read(self, database: str | None) -> None:
        """Takes the statements of its own file, or of the files of a folder of a dump. Raises InputError for
        what cannot be read, or makes no table.
        """
        files, self._folder_database = files_of_schema(self._path, database)
        for file in files:
            for one in statements_of(file):
                if one.instead == "schema":
                    self._of_schema.append(one)
                elif _is_row(one):
                    self._have_rows = True
                elif one.instead in _ENDS:
                    said = INSTEAD[one.instead or ""].format(line=one.line)
                    self._left_out.append(f"{file.name}: {said}")
        self._have_rows |= self._path.is_dir() and bool(filled_by_files(self._path, database))
        if not any(map(table_in, self._of_schema)):
            raise InputError(
                f"{self._path}: has no CREATE TABLE",
                hint="name the file that makes the tables, or the folder that has it and their rows",
            )

    def databases(self) -> list[str]:
        """Returns the databases of users in which tables are made, each once."""
        named: dict[str, str] = {}
        for one in self._of_schema + self._of_source:
            if one.database is not None and table_in(one) is not None:
                named.setdefault(one.database.lower(), one.database)
        return [name for lower, name in named.items() if lower not in OF_SERVER]

    def tables(self, given: str | None, used: str | None = None) -> tuple[Tables, Counter[str]]:
        """Returns the tables, and the statements of the source that are of no known table, counted by their
        first word. Of several databases the one that is `given` is taken, else the one that statements have
        `used`.

        Raises InputError where that is none of them, and where nothing is left of the tables.
        """
        names = self.databases()
        taken = self._taken(names, given, used)
        tables = self._known or Tables()
        tables.left_out += self._left_out
        tables.have_rows = self._have_rows
        tables.database = taken or (names[0] if names else self._folder_database)
        tables.of_several = len(names) > 1
        if without_columns := _take(tables, self._of_schema, taken)["CREATE"]:
            said = counted(without_columns, "table or key", "tables or keys")
            tables.left_out.append(f"{said} of {self._path.name}: no columns are named (CREATE … SELECT)")
        unknown = _take(tables, self._of_source, taken)
        if self._of_schema and not len(tables):
            raise InputError(
                f"{self._path}: drops every table that it makes",
                hint="leave out the DROP TABLEs that come after the CREATE TABLEs",
            )
        return tables, unknown

    def _taken(self, names: list[str], given: str | None, used: str | None) -> str | None:
        """Returns the database that is taken of several; None where there is one."""
        if len(names) < 2:
            return None
        wanted = (given or used or "").lower()
        if (found := next((one for one in names if one.lower() == wanted), None)) is not None:
            return found
        if given is not None:
            raise InputError(
                f"{self._path}: makes no table of database {given}{did_you_mean(given, names)}",
                hint=f"name one of them by --database: {', '.join(names)}",
            )
        raise InputError(
            f"{self._path}: makes tables of several databases: {', '.join(names)}",
            hint=f"name the one to take: --database {names[0]}",
        )


def schema_of(source: Source) -> SchemaTexts:
    """Returns what is known of the tables before the source is read: by `--schema`, or by a server."""
    if source.schema is not None:
        texts = SchemaTexts(source.schema)
        texts.read(source.database)
        return texts
    dsn = source.dsn or (source.origin if source.origin.startswith("dsn:") else None)
    if dsn is None:
        return SchemaTexts(Path(source.origin))
    address = parse_dsn(dsn)
    if address.database is None:
        raise InputError(
            f"{dsn}: names no database", hint="write it at the end, as dsn:mysql://user@host/shop"
        )
    with closing(address.connect()) as connection:
        return SchemaTexts(Path(source.origin), tables_of_server(connection, address.database))


def files_of_schema(schema: Path, database: str | None) -> tuple[list[Path], str | None]:
    """Returns the files of SQL that make tables, the one that is given or those of a folder of a dump; and
    the database that names or heads of its files say.
    """
    if not schema.is_dir():
        return [schema], None
    parts = dataset.parts_of(OwnData(f"{DUMP}{schema}", str(schema), "", database))
    return [Path(one.path) for one in parts.files if one.rows is None], parts.database


def filled_by_files(folder: Path, database: str | None) -> set[str]:
    """Returns the tables, in small letters, for which a folder of a dump has rows in files of their own."""
    files = dataset.parts_of(OwnData(f"{DUMP}{folder}", str(folder), "", database)).files
    return {one.rows.table.lower() for one in files if one.rows is not None and _has_content(one.path)}


def _has_content(path: str) -> bool:
    with unpacked(Path(path)) as file:
        return bool(file.read(1))


def table_in(one: ReadStatement) -> Table | None:
    """Returns the table that a statement makes; None where it makes none."""
    return table_of(one.parts) if one.instead == "schema" and one.parts is not None else None


def _is_row(one: ReadStatement) -> bool:
    """Returns whether a statement is the first of its shape that fills a table."""
    if one.instead == "long":
        return True
    return one.shape is not None and one.parts is not None and Shape(one.shape, one.parts).verb in _FILLS


def _take(tables: Tables, statements: Iterable[ReadStatement], database: str | None) -> Counter[str]:
    """Adds the tables that statements make in a database, and changes those that they alter; returns those of
    no known table, counted by their first word. `database`: None where there is one.
    """
    unknown: Counter[str] = Counter()
    for one in statements:
        lower = (one.database or "").lower()
        is_other = lower in OF_SERVER or (database is not None and lower not in ("", database.lower()))
        if (table := table_in(one)) is not None:
            if not is_other and tables.get(table.name) is None:
                tables.add(table)
        elif is_other or altered(tables, one.parts or ()) is None:
            unknown[(one.parts or ())[0].text.upper()] += 1
    return unknown
