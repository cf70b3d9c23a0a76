"""What a private directory has outside itself: noted in it before it is made, removed with it."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from assay.server.client_network import remove_link, remove_namespace
from assay.server.memory_group import remove_group

Kind = Literal["directory", "group", "link", "namespace"]

NOTES = "outside"
"""Name of the file with the notes: one JSON list `[kind, name]` a line."""

PREFIX = "assay-"
"""How names of such things begin. The notes belong to the server's user: nothing else is ever removed."""


def note(private: Path, kind: Kind, name: str) -> None:
    """Writes it down. Only then may it be made: whoever is killed in between leaves a note too many."""
    with (private / NOTES).open("a", encoding="utf-8") as notes:
        notes.write(json.dumps([kind, name]) + "\n")


def remove_outside(private: Path) -> None:
    """Everything that is noted, the last first. What has gone, or cannot go, does not keep the rest."""
    for kind, name in reversed(list(_notes(private))):
        if Path(name).name.startswith(PREFIX) or (kind == "link" and name.startswith("assay")):
            with contextlib.suppress(OSError):
                _REMOVE[kind](name)


def _remove_directory(name: str) -> None:
    shutil.rmtree(name, ignore_errors=True)


_REMOVE: dict[str, Callable[[str], None]] = {
    "directory": _remove_directory,
    "group": lambda name: remove_group(Path(name)),
    "link": remove_link,
    "namespace": remove_namespace,
}


def _notes(private: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = (private / NOTES).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        with contextlib.suppress(ValueError):  # cut off by a kill: what it was to say was never made
            kind, name = json.loads(line)
            if kind in _REMOVE and isinstance(name, str):
                yield kind, name
