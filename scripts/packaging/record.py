"""Keeps what trials of packages found beside the packages, by the checksum of what was tried."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.packaging.trial import Step

NAME = "trials.json"


def sum_of(path: Path) -> str:
    """Returns the file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def keep(package: Path, system: str, steps: Sequence[Step]) -> None:
    """Notes the steps of a trial of `package`, in place of an earlier trial on this system."""
    notes = read(package.parent)
    notes.setdefault(sum_of(package), {})[system] = [{"name": one.name, "wrong": one.wrong} for one in steps]
    (package.parent / NAME).write_text(json.dumps(notes, indent=1, sort_keys=True) + "\n")


def outcome(package: Path, system: str) -> str | None:
    """Returns what a trial of exactly this file found wrong on a system; None where none was made."""
    steps = read(package.parent).get(sum_of(package), {}).get(system)
    if steps is None:
        return None
    return next((f"{step['name']}: {step['wrong']}" for step in steps if step["wrong"]), "")


def read(folder: Path) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Returns all notes in a folder of packages."""
    file = folder / NAME
    return json.loads(file.read_text()) if file.is_file() else {}
