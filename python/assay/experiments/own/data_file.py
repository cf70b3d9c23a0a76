"""Decides how a file of statements gets its tables: by its own `@data`, or by a dump that is named apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.base.errors import InputError
from assay.base.packed import compression_of
from assay.design.plan import OwnData
from assay.design.study import (
    DATADIR,
    data_path,
    data_use,
    digest_of,
    missing_data,
    parse_data,
)
from assay.experiments.own.letters import (
    CHARACTER_SET,
    Letters,
    about_unnamed,
    collation_key,
    letters_of,
    who_lacks,
)
from assay.experiments.own.schema import Tables

_TEXT_MOST = 64 << 20
"""Bytes of a file of `@data`: it is a text of the study, whole. A dump beside it has no such limit."""

COLLATIONS = "utf8mb4_0900_ai_ci=utf8mb4_unicode_520_ci"
"""A collation of MySQL 8 that MariaDB before 11.4 lacks, and the one that is most like it."""


@dataclass(frozen=True)
class DataFile:
    """A dump that makes the tables. `database` is the one of several that is taken, None where there is one;
    `is_text`: the file of statements can have it as `@data`. Some servers lack its `letters`.
    """

    name: str
    database: str | None
    is_text: bool
    letters: Letters = field(default_factory=Letters)


def data_file(schema: Path | None, tables: Tables, output: Path) -> DataFile | None:
    """Returns the dump that makes the tables of a file that is written as `output`; None for a file without
    rows. One that lies neither beside the output nor below is named by its whole path.
    """
    if schema is None or not tables.have_rows:
        return None
    data = _data_file(schema, tables, output)
    return replace(data, letters=letters_of(schema, tables.database))


def _data_file(schema: Path, tables: Tables, output: Path) -> DataFile:
    beside, folder = schema.resolve(), output.resolve().parent
    is_beside = beside.is_relative_to(folder)
    if is_beside:
        beside = beside.relative_to(folder)
    database = tables.database
    if schema.is_dir():
        return DataFile(str(beside), database, is_text=False)
    if tables.of_several:
        return DataFile(str(beside), database, is_text=False)
    with schema.open("rb") as file:
        is_compressed = compression_of(file.read(8)) is not None
    if is_compressed or not is_beside or schema.stat().st_size > _TEXT_MOST:
        return DataFile(str(beside), None, is_text=False)
    content = schema.read_bytes()
    named = database is not None and re.search(
        rf"(?<![\w@.])(`{re.escape(database)}`|{re.escape(database)})\s*\.\s*[`\w]".encode(), content
    )
    return DataFile(str(beside), None, is_text=not named and _is_utf8(content))


def about_data(data: DataFile) -> list[str]:
    """Returns what the head of a file says of the dump that makes its tables."""
    database = f', database = "{data.database}"' if data.database else ""
    by_study = f'[dataset] use = "dump:{data.name}"{database}'
    whole = f"The tables are in {data.name}; a study has them by {by_study}."
    head = [f"@data {data.name}" if data.is_text else whole]
    if data.letters.collations:
        other = f"{by_study} and " if data.is_text else ""
        key = collation_key(data.letters.collations)
        lack = f"{who_lacks(data.letters.collations)} lack collations of it"
        head.append(f"{lack}: a study there has also {other}{key}.")
    if data.letters.unnamed:
        head.append(
            f"{about_unnamed()}, and lack letters of it: a study there has also [server.variables]"
            f" {CHARACTER_SET}."
        )
    return head


def without_rows(schema: Path | None, tables: Tables, data: DataFile | None) -> list[str]:
    """Returns what to say of a file of tables without rows: its draws have nothing to draw from."""
    if schema is None or data is not None or tables.left_out:
        return []
    return [
        f"{schema.name} has no rows to draw from: name the file or the folder that has them, by --schema,"
        " or have rows like a server's generated: assay manual guide/data-at-scale"
    ]


def _is_utf8(content: bytes) -> bool:
    """Returns whether bytes are a text of a study; those of a dump may be of any encoding, and of none."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


_COLLATION = re.compile(r"(\w+)=(\w+)", re.A)


def own_data(given: str, database: str | None, collations: Sequence[str] = ()) -> OwnData:
    """Returns tables of one's own as a study has them, with collations as OLD=NEW. Raises InputError for a
    file that is not there, and for what names no two collations.
    """
    use = data_use(given)
    named = {one: _COLLATION.fullmatch(one) for one in collations}
    if (wrong := next((one for one, found in named.items() if found is None), None)) is not None:
        raise InputError(
            f"--collation {wrong}: expected OLD=NEW", hint=f"write it as in --collation {COLLATIONS}"
        )
    try:
        path = data_path(parse_data(use).path, ".")
        if (missing := missing_data(path)) is not None:
            raise InputError(missing)
        if use.startswith(DATADIR) and database is None:
            raise InputError(
                "--data: a data directory has several databases", hint="name one: --database shop"
            )
        stand_ins = {found[1]: found[2] for found in named.values() if found is not None}
        return OwnData(use, str(path), digest_of(path), database, collations=stand_ins)
    except ValueError as error:
        raise InputError(f"--data: {error}") from error
    except OSError as error:
        raise InputError(f"{given}: cannot be read: {error.strerror}") from error
