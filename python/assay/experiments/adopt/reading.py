"""Reads files of other tools, by whichever reader recognises their content."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assay.base.decoding import reading
from assay.base.errors import InputError
from assay.base.printable import line
from assay.design.folder import Printed
from assay.experiments.adopt import wide_tables
from assay.experiments.adopt.account import Account, account_of
from assay.experiments.adopt.adopted import Adopted
from assay.experiments.adopt.companion_files import CompanionFile
from assay.experiments.adopt.lines import Text
from assay.experiments.adopt.registry import BESIDE, READERS
from assay.results.audit import Decoded, decode, read_bytes, without_prefixes

_LARGEST = 256 << 20  # bytes


@dataclass(frozen=True)
class ReadFile:
    """A file with the results in it, or with the logs of what was recorded beside a load."""

    path: Path
    content: bytes
    account: Account
    results: tuple[Adopted, ...] = ()
    beside: tuple[CompanionFile, ...] = ()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def read_file(path: Path, every_s: float | None = None) -> ReadFile:
    """Returns the content of a file. `every_s`: the time between readings of a log without times.

    Raises InputError where the file cannot be read, or is no tool's.
    """
    content = read_bytes(path, _LARGEST)
    plain = decode(path, content, _LARGEST)
    if found := _best(path, plain, lambda text, said: _read(path, text, content, said, every_s)):
        return found
    text = Text(line(path), plain.text)
    with reading(path):
        rows = wide_tables.read(path, text)
    if rows:
        account = account_of(text, wide_tables.TOOL, len(rows), len(content), plain.said)
        return ReadFile(path, content, account, tuple(rows))
    forms = (*(one.forms for one in READERS), *(one.forms for one in BESIDE))
    known = "; ".join((*forms, "a table by threads, rate or iodepth"))
    raise InputError(
        f"{path}: expected the output of a tool that Assay can read, found something else",
        hint=f"give {known}",
    )


def read_output(path: Path) -> ReadFile | None:
    """Returns the results in the output of a tool; None for any other file, such as a table."""
    content = read_bytes(path, _LARGEST)
    plain = decode(path, content, _LARGEST)
    return _best(path, plain, lambda text, said: _output(path, text, content, said))


def _best(
    path: Path, plain: Decoded, read: Callable[[Text, tuple[str, ...]], ReadFile | None]
) -> ReadFile | None:
    """Returns what is read of a text as it is, or without prefixes of its lines where that leaves less over.

    Raises InputError where a reader recognises the text, but can read it in no form.
    """
    refused: list[InputError] = []
    best: ReadFile | None = None
    for decoded in (plain, *without_prefixes(plain)):
        try:
            found = read(Text(line(path), decoded.text), decoded.said)
        except InputError as error:
            refused.append(error)
            continue
        if found and (best is None or found.account.left_lines < best.account.left_lines):
            best = found
    if refused and best is None:
        raise refused[0]
    return best


def _read(
    path: Path, text: Text, content: bytes, said: tuple[str, ...], every_s: float | None
) -> ReadFile | None:
    if found := _output(path, text, content, said):
        return found
    for other in BESIDE:
        if other.recognises(text.whole):
            with reading(path):
                logs = tuple(other.read(text, every_s))
            return ReadFile(
                path, content, account_of(text, logs[0].tool, len(logs), len(content), said), beside=logs
            )
    return None


def _check_finite(file: str, printed: Printed) -> None:
    """Raises InputError where a reader made something else than a number of a text: no results folder can
    keep it.
    """
    for figure in printed.figures:
        if not math.isfinite(figure.value):
            raise InputError(f"{file}: {figure.place}: expected a number for {figure.name}")
    for interval in printed.intervals:
        for name in interval.__struct_fields__:
            value = getattr(interval, name)
            if value is not None and not math.isfinite(value):
                raise InputError(f"{file}: expected a number for {name} at {interval.t_s:g} s")
    for series in printed.series:
        if not all(map(math.isfinite, (*series.t_s, *series.value))):
            raise InputError(f"{file}: expected numbers for {series.source} {series.name}")


def _output(path: Path, text: Text, content: bytes, said: tuple[str, ...]) -> ReadFile | None:
    for reader in READERS:
        if reader.recognises(text.whole):
            with reading(path):
                results = tuple(reader.read(text))
            for result in results:
                _check_finite(text.file, result.printed)
            if not results:
                raise InputError(f"{path}: holds no whole result", hint=f"give {reader.forms}")
            account = account_of(text, results[0].tool, len(results), len(content), said)
            return ReadFile(path, content, account, results)
    return None
