"""Tables with what draws must know of them: columns with their types, unique keys, references; from the texts
that make them, or from a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from assay.base.errors import ServerError
from assay.experiments.own.conditions import NO_LIMITS, Limits, limits_of, without_conditions
from assay.experiments.own.statements import Part, written
from assay.system.server import HAS_ROWS, quoted_name

if TYPE_CHECKING:
    from assay.system.server import Connection

_CANNOT_OPEN = frozenset((1016, 1017, 1033, 1168, 1194, 1195, 1286, 1812, 1932))
"""Errors of a table whose files are missing or damaged, or whose engine is not there."""
_NO_COLUMN = {
    "PRIMARY",
    "UNIQUE",
    "KEY",
    "INDEX",
    "CONSTRAINT",
    "FOREIGN",
    "FULLTEXT",
    "SPATIAL",
    "CHECK",
    "PERIOD",
}


@dataclass(frozen=True)
class Column:
    """A column: its type in small letters, the numbers or texts in the type's parentheses, what CHECK
    conditions say of its values.
    """

    name: str
    type: str
    arguments: tuple[str, ...] = ()
    unsigned: bool = False
    nullable: bool = True
    auto_increment: bool = False
    has_default: bool = False
    generated: bool = False
    limits: Limits = NO_LIMITS

    @property
    def is_whole(self) -> bool:
        return self.type in ("tinyint", "smallint", "mediumint", "int", "integer", "bigint", "serial")

    @property
    def is_text(self) -> bool:
        return self.type in ("char", "varchar", "enum", "set") or self.type.endswith("text")


@dataclass(frozen=True)
class Table:
    """A table. `unique` are its unique keys, the primary one first; `references` what a column refers to;
    `unheeded` the CHECK conditions that no draw of one column can heed.
    """

    name: str
    columns: tuple[Column, ...]
    unique: tuple[tuple[str, ...], ...] = ()
    references: dict[str, tuple[str, str]] = field(default_factory=dict)
    unheeded: tuple[str, ...] = ()

    def column(self, name: str) -> Column | None:
        return next((one for one in self.columns if one.name.lower() == name.lower()), None)

    def is_unique(self, name: str) -> bool:
        """Returns whether a column alone is a unique key."""
        return any(len(key) == 1 and key[0].lower() == name.lower() for key in self.unique)


class Tables:
    """Tables by name; names are compared without case where that finds one table alone."""

    def __init__(self, tables: Iterable[Table] = ()) -> None:
        self._by_name = {table.name: table for table in tables}
        self.database: str | None = None
        """The database that the texts which make them use, where they name one."""
        self.of_several = False
        """Whether those texts make tables of other databases too, which are left out."""
        self.have_rows = False
        """Whether something is known that fills one of them."""
        self.left_out: list[str] = []
        """What of these texts is not known, and why."""

    def __iter__(self) -> Iterator[Table]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def add(self, table: Table) -> None:
        self._by_name[table.name] = table

    def remove(self, table: Table) -> None:
        self._by_name.pop(table.name, None)

    def get(self, name: str) -> Table | None:
        if (table := self._by_name.get(name)) is not None:
            return table
        alike = [table for known, table in self._by_name.items() if known.lower() == name.lower()]
        return alike[0] if len(alike) == 1 else None


def table_of(parts: Sequence[Part]) -> Table | None:
    """Returns the table that `CREATE TABLE …` makes; None for a form that lists no columns."""
    parts = plain_names(parts)
    at = 0
    while at < len(parts) and not parts[at].is_symbol("("):
        at += 1
    names = [part.name for part in parts[:at] if part.name and part.name.upper() not in _BEFORE_NAME]
    is_table = any(part.is_word("TABLE") for part in parts[1:4]) and parts[0].is_word("CREATE")
    if any(part.is_word("SELECT", "LIKE") for part in parts[1:at]):
        return None
    if at == len(parts) or not names or not is_table:
        return None
    table = with_definitions(Table(names[-1], ()), definitions(parts[at + 1 :]))
    return table if table.columns else None


def with_definitions(table: Table, several: Iterable[list[Part]]) -> Table:
    """Returns a table with the columns, keys and conditions that definitions add to it or change."""
    columns = {column.name.lower(): column for column in table.columns}
    unique, references = list(table.unique), dict(table.references)
    conditions: list[Sequence[Part]] = []
    for definition in several:
        parts, checks = without_conditions(definition)
        conditions += checks
        first = parts[0] if parts else None
        if first is None or (first.kind == "word" and first.text.upper() in _NO_COLUMN):
            _read_key(parts, unique, references)
        elif first.name is not None and len(parts) > 1:
            column = _column(parts, unique, references)
            columns[column.name.lower()] = column
    for name in unique[0] if unique else ():
        if (of_key := columns.get(name.lower())) is not None:
            columns[name.lower()] = replace(of_key, nullable=False)
    unheeded = list(table.unheeded)
    for condition in conditions:
        limits = limits_of(condition, columns)
        if limits is None:
            unheeded.append(written(condition, ()))
        for name, said in (limits or {}).items():
            columns[name] = replace(columns[name], limits=columns[name].limits.and_also(said))
    return Table(table.name, tuple(columns.values()), tuple(unique), references, tuple(unheeded))


def plain_names(parts: Sequence[Part]) -> Sequence[Part]:
    """Returns a statement about a table with backticks around its names, which ANSI_QUOTES has in double
    quotes.
    """
    table = next((at for at, part in enumerate(parts) if part.is_word("TABLE", "ON")), len(parts))
    begin = next((at for at in range(table, len(parts)) if parts[at].is_symbol("(")), len(parts))
    if not any(part.text.startswith('"') for part in parts[table : begin + 2]):
        return parts
    return [
        Part("name", f"`{part.text[1:-1]}`", part.spaced) if part.text.startswith('"') else part
        for part in parts
    ]


_BEFORE_NAME = {"CREATE", "TABLE", "IF", "NOT", "EXISTS", "OR", "REPLACE", "TEMPORARY"}


def definitions(parts: Sequence[Part]) -> Iterable[list[Part]]:
    """Yields what commas part, up to the parenthesis that closes the list."""
    depth = 0
    one: list[Part] = []
    for part in parts:
        if part.is_symbol(")") and depth == 0:
            break
        if part.is_symbol(",") and depth == 0:
            if one:
                yield one
            one = []
            continue
        depth += part.is_symbol("(") - part.is_symbol(")")
        one.append(part)
    if one:
        yield one


def names_in_parentheses(parts: Sequence[Part], start: int) -> tuple[list[str], int]:
    """Returns the names of the next list in parentheses, without lengths and orders, and the place after
    it.
    """
    at = next((place for place in range(start, len(parts)) if parts[place].is_symbol("(")), len(parts))
    depth, expects = 0, True
    names: list[str] = []
    for place in range(at, len(parts)):
        part = parts[place]
        if part.is_symbol("("):
            depth += 1
        elif part.is_symbol(")"):
            depth -= 1
            if depth == 0:
                return names, place + 1
        elif part.is_symbol(","):
            expects = True
        elif depth == 1 and expects and part.name is not None:
            names.append(part.name)
            expects = False
    return names, len(parts)


def _read_key(
    parts: list[Part], unique: list[tuple[str, ...]], references: dict[str, tuple[str, str]]
) -> None:
    words = [part.text.upper() if part.kind == "word" else "" for part in parts]
    if "FOREIGN" in words:
        columns, after = names_in_parentheses(parts, words.index("FOREIGN"))
        to = next((place for place in range(after, len(parts)) if words[place] == "REFERENCES"), None)
        if to is not None and (table := name_after(parts, to)) is not None:
            others, _ = names_in_parentheses(parts, to)
            references.update(zip(columns, [(table, other) for other in others], strict=False))
    elif "PRIMARY" in words:
        unique.insert(0, tuple(names_in_parentheses(parts, 0)[0]))
    elif "UNIQUE" in words:
        unique.append(tuple(names_in_parentheses(parts, 0)[0]))


def name_after(parts: Sequence[Part], at: int) -> str | None:
    """Returns the last name of `db.table` after a word."""
    name = parts[at + 1].name if at + 1 < len(parts) else None
    if at + 3 < len(parts) and parts[at + 2].is_symbol("."):
        name = parts[at + 3].name
    return name


def _column(
    parts: list[Part], unique: list[tuple[str, ...]], references: dict[str, tuple[str, str]]
) -> Column:
    name = parts[0].name or ""
    words = [part.text.upper() if part.kind == "word" else "" for part in parts]
    arguments: tuple[str, ...] = ()
    start = next((at for at in range(2, len(parts)) if not parts[at].is_word(*_IN_TYPES)), len(parts))
    if start < len(parts) and parts[start].is_symbol("("):
        end = next((place for place in range(start, len(parts)) if parts[place].is_symbol(")")), len(parts))
        arguments = tuple(part.text for part in parts[start + 1 : end] if not part.is_symbol(","))
    kind = _type_of(parts[1:])
    if "PRIMARY" in words[2:]:
        unique.insert(0, (name,))
    elif "UNIQUE" in words[2:] or kind == "serial":
        unique.append((name,))
    if "REFERENCES" in words:
        at = words.index("REFERENCES")
        others, _ = names_in_parentheses(parts, at)
        if (table := name_after(parts, at)) is not None and others:
            references[name] = (table, others[0])
    not_null = any(one == "NOT" and two == "NULL" for one, two in pairwise(words))
    return Column(
        name=name,
        type=kind,
        arguments=arguments,
        unsigned="UNSIGNED" in words or kind == "serial",
        nullable=not not_null,
        auto_increment="AUTO_INCREMENT" in words or kind == "serial",
        has_default="DEFAULT" in words,
        generated="GENERATED" in words or ("AS" in words and "DEFAULT" not in words),
    )


_IN_TYPES = ("CHAR", "CHARACTER", "VARCHAR", "VARCHARACTER", "VARYING", "PRECISION")
"""Words that follow the first of a type, as in NATIONAL CHARACTER VARYING (20)."""
_NAMES_OF_TYPES = {
    "character": "char",
    "varcharacter": "varchar",
    "long": "mediumtext",
    "dec": "decimal",
    "fixed": "decimal",
    "numeric": "decimal",
    "int1": "tinyint",
    "int2": "smallint",
    "int3": "mediumint",
    "middleint": "mediumint",
    "int4": "int",
    "int8": "bigint",
    "float4": "float",
    "float8": "double",
    "real": "double",
}
"""Other names of types (MySQL manual, "Using Data Types from Other Database Engines", "String Data Type
Syntax").
"""


def _type_of(parts: Sequence[Part]) -> str:
    """Returns the type that parts begin with, by the name under which servers keep it."""
    words = [part.text.lower() if part.kind == "word" else "" for part in [*parts[:3], Part("symbol", "")]]
    first = words[1] if words[0] == "national" else words[0]
    if first in ("nchar", "nvarchar"):
        first = first[1:]
    varies = "varying" in words[1:3]
    return "varchar" if varies else _NAMES_OF_TYPES.get(first, first)


@contextmanager
def skipped_if_broken() -> Iterator[None]:
    """Leaves the block where the server says that it cannot open a table; raises its other errors."""
    try:
        yield
    except ServerError as error:
        if error.code not in _CANNOT_OPEN:
            raise


def tables_of_server(connection: Connection, database: str) -> Tables:
    """Returns the tables of a database, by the texts with which the server would make them."""
    from assay.experiments.own.reading import statements_of_texts

    names = [
        str(name)
        for (name,) in connection.rows(
            "SELECT table_name FROM information_schema.tables"
            f" WHERE table_schema = %s AND {HAS_ROWS} ORDER BY table_name",
            [database],
        )
    ]
    texts = []
    for name in names:
        with skipped_if_broken():  # nothing is known of it
            shown = connection.rows(f"SHOW CREATE TABLE {quoted_name(database, name)}", columns=2)
            texts.append(str(shown[0][1]))
    found = (table_of(one.parts) for one in statements_of_texts(texts) if one.parts is not None)
    return Tables(table for table in found if table is not None)
