"""Has the engine read statements, and knows digest exports, which it does not."""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec

from assay.base.errors import HostError, InputError
from assay.experiments.own.statements import ReadStatement
from assay.system.engine import find_engine

_PACKED = {b"\x1f\x8b": "gzip -d", b"\x28\xb5\x2f\xfd": "zstd -d", b"\xfd7zXZ": "xz -d", b"BZh": "bzip2 -d"}
_MOST_EXPORT_BYTES = 256 << 20
_TEXT, _SAMPLE = "DIGEST_TEXT", "QUERY_SAMPLE_TEXT"


@dataclass(frozen=True)
class Digest:
    """A row of events_statements_summary_by_digest: a text, how often it was executed, and for how long.

    `text` is None in the row in which a server sums what it has no room for.
    """

    text: str | None
    database: str | None
    count: int
    seconds: float


def statements_of(path: Path) -> Iterator[ReadStatement]:
    """Yields the statements of a log or of a file of SQL; the first has the form alone. Raises InputError for
    a file that cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    for magic, tool in _PACKED.items():
        if head.startswith(magic):
            raise InputError(f"{path}: is compressed", hint=f"unpack it first: {tool} {path.name}")
    with _engine([str(path)]) as lines:
        yield from lines


def statements_of_texts(texts: Sequence[str]) -> Iterator[ReadStatement]:
    """Yields the statement of each text, its number from 1 as `line`."""
    with tempfile.TemporaryFile() as given:
        given.writelines(json.dumps(text).encode() + b"\n" for text in texts)
        given.seek(0)
        with _engine(["--from", "texts", "texts"], given) as lines:
            next(lines, None)
            yield from lines


@contextmanager
def _engine(words: list[str], given: Any = subprocess.DEVNULL) -> Iterator[Iterator[ReadStatement]]:
    command = [str(find_engine()), "statements", *words]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        assert process.stdout is not None
        decoder = msgspec.json.Decoder(ReadStatement)
        try:
            yield (decoder.decode(line) for line in process.stdout)
        except BaseException:
            process.kill()
            raise
        process.stdout.close()
        if process.wait() != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()
            kind = InputError if process.returncode == InputError.exit_code else HostError
            raise kind(said or "the engine could not read the statements")


def digests_of(path: Path) -> list[Digest] | None:
    """Returns the rows of an export of events_statements_summary_by_digest, as tab- or comma-separated text
    with a first line of names, or as JSON; None for any other file.
    """
    try:
        with path.open("rb") as file:
            head = file.read(1 << 16)
            if _TEXT.encode() not in head.upper():
                return None
            rest = file.read(_MOST_EXPORT_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    text = (head + rest).decode("utf-8", "replace").removeprefix("\ufeff")
    is_json = text.lstrip().startswith(("{", "["))
    if not is_json and _TEXT not in _heading(text):
        return None
    if len(rest) > _MOST_EXPORT_BYTES:
        raise InputError(f"{path}: an export of digests has at most {_MOST_EXPORT_BYTES >> 20} MiB")
    rows = _json_rows(path, text) if is_json else _table_rows(path, text)
    return [_digest(path, row) for row in rows]


def _json_rows(path: Path, text: str) -> list[dict[str, Any]]:
    try:
        try:
            found = json.loads(text)
        except json.JSONDecodeError:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not whole JSON: {error}") from error
    rows = found if isinstance(found, list) else [found]
    return [
        {str(name).upper(): value for name, value in row.items()} for row in rows if isinstance(row, dict)
    ]


def _heading(text: str) -> list[str]:
    """Returns the names in the first line of a table; none of a text that is no table."""
    first = text.partition("\n")[0].rstrip("\r")
    if "\t" in first:
        return first.upper().split("\t")
    try:
        return [name.strip().upper() for name in next(csv.reader([first]), [])]
    except csv.Error:
        return []


def _table_rows(path: Path, text: str) -> list[dict[str, Any]]:
    head = _heading(text)
    rows: list[dict[str, Any]]
    if "\t" in text.partition("\n")[0]:
        # As `mysql --batch` prints it: no quotes, line ends and tabs as \n and \t.
        lines = [line.rstrip("\r") for line in text.split("\n")[1:] if line]
        rows = [dict(zip(head, map(_unescaped, line.split("\t")), strict=False)) for line in lines]
    else:
        csv.field_size_limit(1 << 24)
        try:
            rows = [dict(zip(head, row, strict=False)) for row in csv.reader(StringIO(text, newline=""))][1:]
        except csv.Error as error:
            raise InputError(f"{path}: is not whole CSV: {error}") from error
    return rows


def _unescaped(field: str) -> str | None:
    if field == "NULL":
        return None
    out, letters = [], iter(field)
    for letter in letters:
        if letter == "\\":
            after = next(letters, "\\")
            letter = {"n": "\n", "t": "\t", "0": "\0"}.get(after, after)
        out.append(letter)
    return "".join(out)


def _digest(path: Path, row: dict[str, Any]) -> Digest:
    text = row.get(_SAMPLE) or row.get(_TEXT)
    if row.get("COUNT_STAR") in (None, ""):
        raise InputError(f"{path}: a digest has no COUNT_STAR, so nobody knows how often it was sent")
    try:
        count = int(row["COUNT_STAR"])
        seconds = int(float(row.get("SUM_TIMER_WAIT") or 0)) / 1e12
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{path}: COUNT_STAR and SUM_TIMER_WAIT must be numbers: {error}") from error
    database = row.get("SCHEMA_NAME")
    return Digest(
        str(text) if text else None, None if database in (None, "", "NULL") else str(database), count, seconds
    )
