"""Reads files of other tools, by whichever reader recognises their content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from assay.adopt import wide_tables
from assay.adopt.account import Account, account_of
from assay.adopt.adopted import Adopted
from assay.adopt.beside import Beside
from assay.adopt.lines import Text
from assay.adopt.registry import BESIDE, READERS
from assay.errors import InputError

_LARGEST = 256 << 20  # bytes


@dataclass(frozen=True)
class ReadFile:
    """A file with the results in it, or with the logs of what was recorded beside a load."""

    path: Path
    content: bytes
    account: Account
    results: tuple[Adopted, ...] = ()
    beside: tuple[Beside, ...] = ()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def read_file(path: Path, every_s: float | None = None) -> ReadFile:
    """Returns the content of a file. `every_s`: the time between readings of a log without times.

    Raises InputError where the file cannot be read, or is no tool's.
    """
    text, content = _text(path)
    if found := _output(path, text, content):
        return found
    for other in BESIDE:
        if other.recognises(text.whole):
            logs = tuple(other.read(text, every_s))
            account = account_of(text, logs[0].tool, len(logs), len(content))
            return ReadFile(path, content, account, beside=logs)
    if rows := wide_tables.read(path, text):
        return ReadFile(
            path, content, account_of(text, wide_tables.TOOL, len(rows), len(content)), tuple(rows)
        )
    forms = (*(one.forms for one in READERS), *(one.forms for one in BESIDE))
    known = "; ".join((*forms, "a table by threads, rate or iodepth"))
    raise InputError(
        f"{path}: expected the output of a tool that Assay can read, found something else",
        hint=f"give {known}",
    )


def read_output(path: Path) -> ReadFile | None:
    """Returns the results in the output of a tool; None for any other file, such as a table."""
    return _output(path, *_text(path))


def _output(path: Path, text: Text, content: bytes) -> ReadFile | None:
    for reader in READERS:
        if reader.recognises(text.whole):
            results = tuple(reader.read(text))
            if not results:
                raise InputError(f"{path}: holds no whole result", hint=f"give {reader.forms}")
            account = account_of(text, results[0].tool, len(results), len(content))
            return ReadFile(path, content, account, results)
    return None


def _text(path: Path) -> tuple[Text, bytes]:
    """Returns the text of a file, and its bytes."""
    content = _content(path)
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = f"0x{content[error.start]:02x}"
        raise InputError(f"{path}:{line}: expected UTF-8 text, found the byte {found}") from None
    return Text(str(path), decoded), content


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(content) > _LARGEST:
        raise InputError(f"{path}: is larger than {_LARGEST >> 20} MiB")
    return content
