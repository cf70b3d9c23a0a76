"""The source of a first file, and the tables that it knows from files or a server."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import InputError
from assay.base.wording import counted
from assay.design.plan import OwnData
from assay.design.study import DUMP
from assay.experiments.own.altering import altered
from assay.experiments.own.reading import statements_of
from assay.experiments.own.schema import Table, Tables, table_of, tables_of_server
from assay.experiments.own.statements import ReadStatement
from assay.experiments.own.unfit import INSTEAD
from assay.measurement.source import dataset
from assay.system.server import parse_dsn

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


def known_tables(source: Source) -> Tables:
    """Returns the tables of a file or of a server, as far as the source names one."""
    if source.schema is not None:
        tables = Tables()
        found = []
        for file in _files_of_schema(source.schema, source.database):
            for one in statements_of(file):
                if one.instead == "schema":
                    found.append(one)
                elif one.instead in _ENDS:
                    tables.left_out.append(f"{file.name}: {INSTEAD[one.instead or ''].format(line=one.line)}")
        several = len({one.database for one in found if table_in(one) is not None}) > 1
        unknown = 0
        for one in found:
            name = take_schema(tables, one, source.database if several else None, source.schema)
            unknown += name is None and (one.parts or ())[0].is_word("CREATE")
        if unknown:
            said = counted(unknown, "table or key", "tables or keys")
            tables.left_out.append(f"{said} of {source.schema.name}: no columns are named (CREATE … SELECT)")
        if not len(tables):
            if any(table_in(one) is not None for one in found):
                raise InputError(
                    f"{source.schema}: drops every table that it makes",
                    hint="leave out the DROP TABLEs that come after the CREATE TABLEs",
                )
            raise InputError(f"{source.schema}: has no CREATE TABLE")
        return tables
    dsn = source.dsn or (source.origin if source.origin.startswith("dsn:") else None)
    if dsn is None:
        return Tables()
    address = parse_dsn(dsn)
    if address.database is None:
        raise InputError(
            f"{dsn}: names no database", hint="write it at the end, as dsn:mysql://user@host/shop"
        )
    with closing(address.connect()) as connection:
        return tables_of_server(connection, address.database)


def _files_of_schema(schema: Path, database: str | None) -> list[Path]:
    """Returns the files of SQL that make tables: the file that is given, or those of a folder of a dump."""
    if not schema.is_dir():
        return [schema]
    own = OwnData(f"{DUMP}{schema}", str(schema), "", database)
    return [Path(one.path) for one in dataset.parts_of(own).files if one.rows is None]


def table_in(one: ReadStatement) -> Table | None:
    """Returns the table that a statement makes; None where it makes none."""
    return table_of(one.parts) if one.instead == "schema" and one.parts is not None else None


def take_schema(tables: Tables, one: ReadStatement, wanted: str | None, path: Path) -> str | None:
    """Adds the table that a statement makes, or changes the one that it alters; returns its name, None where
    it is of no known table. Raises InputError as `_take_table` does.
    """
    if (table := table_in(one)) is not None:
        _take_table(tables, table, one.database, wanted, path)
        return table.name
    if wanted is None or one.database is None or one.database.lower() == wanted.lower():
        return altered(tables, one.parts or ())
    return None


def _take_table(tables: Tables, table: Table, database: str | None, wanted: str | None, path: Path) -> None:
    """Adds a table that a file makes, unless it is of another database than the wanted one. Raises
    InputError where the file has several and none is wanted.
    """
    known = tables.database
    if database is not None and wanted is not None and database.lower() != wanted.lower():
        tables.of_several = True
        return
    if database is not None and known not in (None, database) and wanted is None:
        raise InputError(
            f"{path}: makes tables of several databases, {known} and {database}",
            hint=f"name the one to take: --database {known}",
        )
    tables.database = known or database
    if tables.get(table.name) is None:
        tables.add(table)
