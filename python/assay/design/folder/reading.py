"""Reads the files of a results folder, and names every damaged one with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.base.decoding import json_as, why_unreadable
from assay.base.errors import InputError
from assay.base.inner_path import DOCUMENT_BYTES, InnerPath
from assay.design.folder.checksums import FORMAT, UNCHECKED_FORMAT, ChecksumError, verify_checksum
from assay.design.folder.manifest import Manifest, StudyEntry
from assay.design.folder.paths import ResultsFolder, RunFolder

T = TypeVar("T")


class Damaged(InputError):
    """A file of a results folder cannot be read, or is missing; `why` is the reason, where one is known."""

    why: str = ""


UNREADABLE = (OSError, msgspec.DecodeError, UnicodeDecodeError, ChecksumError)
"""What reading a damaged file raises."""


class _Numbered(msgspec.Struct):
    format: int = UNCHECKED_FORMAT


def damaged(file: InnerPath, run: Path, error: Exception | str) -> Damaged:
    """Returns the error for `file` in the run folder `run`."""
    why = why_unreadable(error) if isinstance(error, Exception) else error
    found = Damaged(f"{file} is damaged: {why}", hint=again(run))
    found.why = why
    return found


def again(run: Path) -> str:
    """Returns what to do about a damaged file of a run."""
    return f"delete the folder {run} and run the study again: only that run is repeated"


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
        return read_verified(run.manifest, Manifest)
    except UNREADABLE as error:
        raise damaged(run.manifest, run.path, error) from error


def read_entry(folder: ResultsFolder) -> StudyEntry:
    """Returns the `study.json` of a results folder. Raises `Damaged` when the file is missing or cannot be
    read.
    """
    hint = "restore the file from a copy: without it the results cannot be attributed to a study"
    try:
        return read_verified(folder.entry, StudyEntry)
    except FileNotFoundError:
        raise Damaged(f"{folder.entry} is missing", hint=hint) from None
    except UNREADABLE as error:
        raise Damaged(f"{folder.entry} is damaged: {why_unreadable(error)}", hint=hint) from error


def read_part(file: InnerPath, run: RunFolder, kind: type[T], most: int = DOCUMENT_BYTES) -> T:
    """Decodes a JSON file of a run folder, of at most so many bytes. Raises `Damaged` when the file cannot be
    read.
    """
    try:
        return json_as(file.read_bytes(most), kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(file, run.path, error) from error


def read_job(run: RunFolder, rung: str) -> dict[str, Any]:
    """Returns a rung's job; empty where the rung had none."""
    file = run.rung_at(rung).job
    return read_part(file, run, dict[str, Any]) if file.is_file() else {}


def read_verified(file: InnerPath, kind: type[T]) -> T:
    """Decodes a file after verifying its own checksum and its format number, since a later format may lack
    fields that this one needs. Raises what `UNREADABLE` names.
    """
    content = file.read_bytes()
    verify_checksum(content, required=False)
    number = json_as(content, _Numbered).format
    check_format(number, FORMAT, str(file))
    verify_checksum(content, required=number > UNCHECKED_FORMAT)
    return json_as(content, kind)
