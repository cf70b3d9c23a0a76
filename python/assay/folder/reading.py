"""Reading the files of a results folder, so that each that is wrong is named, with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.errors import InputError
from assay.folder.manifest import FORMAT, Manifest, StudyEntry
from assay.folder.paths import ResultsFolder, RunFolder

T = TypeVar("T")


class Damaged(InputError):
    """A file that is not what it was when it was written."""


class _Numbered(msgspec.Struct):
    format: int = FORMAT


def damaged(file: Path, run: Path, error: Exception | str) -> Damaged:
    """The error for `file` in the run folder `run`."""
    return Damaged(
        f"{file} is damaged: {error}",
        hint=f"delete the folder {run} and run the study again: only that run is repeated",
    )


def check_format(found: int, known: int, what: str) -> None:
    """InputError for a format that a later assay has made; earlier ones stay readable."""
    if found > known:
        raise InputError(
            f"{what} has format {found}, and this assay reads formats up to {known}",
            hint="use the assay that wrote it, or a later one",
        )


def read_manifest(run: RunFolder) -> Manifest:
    """What a finished run says about itself. `Damaged` when the file cannot be read."""
    try:
        return _numbered(run.manifest, Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(run.manifest, run.path, error) from error


def read_entry(folder: ResultsFolder) -> StudyEntry:
    """Whose results these are. `Damaged` when the file is not there or cannot be read."""
    hint = "restore the file from a copy: without it the results cannot be attributed to a study"
    try:
        return _numbered(folder.entry, StudyEntry)
    except FileNotFoundError:
        raise Damaged(f"{folder.entry} is missing", hint=hint) from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"{folder.entry} is damaged: {error}", hint=hint) from error


def read_part(file: Path, run: RunFolder, kind: type[T]) -> T:
    """A JSON file inside a run folder. `Damaged` when it cannot be read."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(file, run.path, error) from error


def read_job(run: RunFolder, rung: str) -> dict[str, Any]:
    """A rung's job; empty where it had none."""
    file = run.rung_at(rung).job
    return read_part(file, run, dict[str, Any]) if file.is_file() else {}


def _numbered(file: Path, kind: type[T]) -> T:
    """The format is looked at first: a later one may lack what this one needs."""
    content = file.read_bytes()
    check_format(msgspec.json.decode(content, type=_Numbered).format, FORMAT, str(file))
    return msgspec.json.decode(content, type=kind)
