"""A folder of one file of SQL with the tables, and a file of rows for each: `TABLE.csv`, `TABLE.tsv`, or
`TABLE.txt` as `mysqldump --tab` writes it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Iterator, Set
from pathlib import Path

from assay.base.errors import InputError
from assay.base.format.job import ColumnOfRows, DumpFile, RowsOfTable
from assay.design.study import did_you_mean
from assay.measurement.source.dataset.forms.form import (
    Form,
    Parts,
    has,
    head_of,
    names_in,
    plain_name,
    statements,
    text_of,
)

_ROWS = (".csv", ".tsv", ".txt")
_NAME = r"(?:`(?:[^`]|``)+`|\"[^\"]+\"|[\w$]+)"
_CREATE = re.compile(rf"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:{_NAME}\s*\.\s*)?({_NAME})\s*\(", re.I)
_DOCUMENT = re.compile(r"(?:readme|licen[cs]e|copying|notice|change(?:s|log)|authors|install)\b.*\.txt", re.I)
"""Names of texts that lie beside data and are none, unless a table is called so."""
_PART = re.compile(r"'(?:[^'\\]|\\.|'')*'|`[^`]*`|\"[^\"]*\"|--[^\n]*|[(),]|[^'`\"(),-]+|-", re.S)
_NULL = re.compile(rb"[,\n]\\N(?=[,\r\n])|[,\n]\\N\Z")
"""NULL as a field of a CSV file whose backslashes escape."""
_FIRST_RECORD = re.compile(r'(?:"(?:[^"]|"")*"|[^"\n])*?(\r?\n)')
_SCHEMA_BYTES = 256 << 20
_JSON = re.compile(r"[`\"\s]json\b", re.I)
"""A column of MySQL that takes no bytes without a character set."""
_NO_COLUMNS = (
    "primary",
    "key",
    "index",
    "unique",
    "constraint",
    "fulltext",
    "spatial",
    "foreign",
    "check",
    "period",
)


def _recognises(path: Path) -> bool:
    if not path.is_dir():
        return False
    tables = {plain_name(file).removesuffix(".sql").lower() for file in _of_sql(path)}
    return bool(tables) and any(not _is_document(file, tables) for file in _of_rows(path))


def _is_document(file: Path, tables: Container[str]) -> bool:
    """Returns whether a file lies beside rows, and none of these tables is called so."""
    return _DOCUMENT.fullmatch(plain_name(file)) is not None and _table_of(file).lower() not in tables


def _table_of(file: Path) -> str:
    return plain_name(file).rpartition(".")[0]


def _of_rows(path: Path) -> list[Path]:
    return [file for file in names_in(path) if plain_name(file).endswith(_ROWS)]


def _of_sql(path: Path) -> list[Path]:
    return [file for file in names_in(path) if plain_name(file).endswith(".sql")]


def _parts(path: Path, database: str | None) -> Parts:
    schema = _of_sql(path)
    if not schema:
        raise InputError(
            f"{path} holds no tables", hint="put their definitions into schema.sql beside the rows"
        )
    tables: dict[str, list[str]] = {}
    in_bytes = set()
    for file in schema:
        text = text_of(file, _SCHEMA_BYTES)
        tables |= {
            found[1].strip('`"').replace("``", "`").lower(): list(_columns(text, found.end()))
            for found in _CREATE.finditer(text)
        }
        if not _JSON.search(text):
            in_bytes.add(plain_name(file).removesuffix(".sql"))
    beside = [file for file in _of_rows(path) if _is_document(file, tables)]
    files = [_rows(file, tables, in_bytes) for file in _of_rows(path) if file not in beside]
    left_out = (f"left out of {path.name}: {', '.join(file.name for file in beside)}",) if beside else ()
    return Parts((*map(statements, schema), *files), left_out)


def _columns(text: str, at: int) -> Iterator[str]:
    """Yields the names of the columns in a definition, from behind its first parenthesis, which ends here."""
    depth, first = 0, ""
    for found in _PART.finditer(text, at):
        part = found[0]
        if part == "(":
            depth += 1
        elif part in (",", ")") and depth == 0:
            word = first.split(maxsplit=1)[0] if first else ""
            if first.startswith(("`", '"')) or (word and word.lower() not in _NO_COLUMNS):
                yield first.strip('`"') if first.startswith(("`", '"')) else word
            if part == ")":
                return
            first = ""
        elif part == ")":
            depth -= 1
        elif not first and not part.startswith("--"):
            first = part.strip()


def _rows(file: Path, tables: dict[str, list[str]], in_bytes: Set[str]) -> DumpFile:
    """Returns a file of rows with its dialect. `in_bytes`: tables of files of their own, as `mysqldump --tab`
    writes them; it writes each column in its own character set.
    """
    table = _table_of(file)
    if tables and table.lower() not in tables:
        raise InputError(
            f"{file}: no table is called {table}{did_you_mean(table, tables)}",
            hint="a file of rows has the name of its table",
        )
    head = head_of(file).decode(errors="replace")
    is_csv = plain_name(file).endswith(".csv")
    separator = "," if is_csv else "\t"
    # RFC 4180 knows no escapes; SELECT … INTO OUTFILE and mysqldump --tab write NULL as \N.
    escaped = "\\" if not is_csv or has(file, _NULL, longest=4) else ""
    first = (
        next(csv.reader(head.splitlines()[:1], delimiter=separator), []) if is_csv else head.splitlines()[:1]
    )
    names = first if is_csv else (first[0].split("\t") if first else [])
    columns = {name.lower() for name in tables.get(table.lower(), [])}
    header = bool(names) and all(name.strip().lower() in columns for name in names)
    return DumpFile(
        path=str(file),
        name=file.name,
        rows=RowsOfTable(
            table=table,
            columns=[ColumnOfRows(name=name.strip()) for name in names] if header else [],
            fields_terminated=separator,
            enclosed='"' if is_csv else "",
            escaped=escaped,
            lines_terminated=_line_end(head, quotes=is_csv),
            charset="binary" if plain_name(file).endswith(".txt") and table in in_bytes else "utf8mb4",
            header=header,
        ),
    )


def _line_end(head: str, *, quotes: bool) -> str:
    """Returns the end of the first record; the engine refuses a file with several."""
    if quotes:
        found = _FIRST_RECORD.match(head)
        return found[1] if found else "\n"
    return "\r\n" if head.partition("\n")[0].endswith("\r") else "\n"


FORM = Form("csv", "a folder of rows with the definitions of their tables", _recognises, _parts)
