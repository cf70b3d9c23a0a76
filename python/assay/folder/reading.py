"""Reads the files of a results folder, and names every damaged one with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.errors import InputError
from assay.folder.manifest import FORMAT, Manifest, StudyEntry
from assay.folder.paths import ResultsFolder, RunFolder
from assay.inner_path import InnerPath

T = TypeVar("T")


class Damaged(InputError):
    """A file of a results folder cannot be read, or is missing."""


class _Numbered(msgspec.Struct):
    format: int = FORMAT


def damaged(file: InnerPath, run: Path, error: Exception | str) -> Damaged:
    """Returns the error for `file` in the run folder `run`."""
    return Damaged(
        f"{file} is damaged: {error}",
        hint=f"delete the folder {run} and run the study again: only that run is repeated",
    )


def check_format(found: int, known: int, what: str) -> None:
    """Raises InputError when a file has a later format than this version reads."""
    if found > known:
        raise InputError(
            f"{what} has format {found}, and this assay reads formats up to {known}",
            hint="use the assay that wrote it, or a later one",
        )


def read_manifest(run: RunFolder) -> Manifest:
    """Returns the manifest of a finished run. Raises `Damaged` when the file cannot be read."""
    try:
        return _numbered(run.manifest, Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(run.manifest, run.path, error) from error


def read_entry(folder: ResultsFolder) -> StudyEntry:
    """Returns the `study.json` of a results folder. Raises `Damaged` when the file is missing or cannot be
    read.
    """
    hint = "restore the file from a copy: without it the results cannot be attributed to a study"
    try:
        return _numbered(folder.entry, StudyEntry)
    except FileNotFoundError:
        raise Damaged(f"{folder.entry} is missing", hint=hint) from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"{folder.entry} is damaged: {error}", hint=hint) from error


def read_part(file: InnerPath, run: RunFolder, kind: type[T]) -> T:
    """Decodes a JSON file of a run folder. Raises `Damaged` when the file cannot be read."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(file, run.path, error) from error


def read_job(run: RunFolder, rung: str) -> dict[str, Any]:
    """Returns a rung's job; empty where the rung had none."""
    file = run.rung_at(rung).job
    return read_part(file, run, dict[str, Any]) if file.is_file() else {}


def _numbered(file: InnerPath, kind: type[T]) -> T:
    """Decodes a file after checking its format number, since a later format may lack fields that this one
    needs.
    """
    content = file.read_bytes()
    check_format(msgspec.json.decode(content, type=_Numbered).format, FORMAT, str(file))
    return msgspec.json.decode(content, type=kind)
