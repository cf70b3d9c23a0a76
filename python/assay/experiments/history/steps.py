"""The file `bisect.json` of a search for a build: its question and the answers so far, from which it
continues.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

from assay.base.decoding import json_as, why_unreadable
from assay.base.durable import write_whole
from assay.base.errors import ConflictError, InputError
from assay.base.inner_path import named_bytes
from assay.base.locks import locked

FORMAT = 1
NAME = "bisect.json"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One build compared with the good one. `ratio` is this build / the good one, in the study's measure."""

    use: str
    answer: Literal["good", "bad", "unknown"]
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    blocks: int = 0
    results: str  # folder of the step's results, below that of the search
    why: str = ""  # of a build that is unknown
    made_of: str = ""  # what the difference to the good build is made of, in English


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """The question of a search, which never changes, and the steps so far; the first is of the bad build."""

    format: int = FORMAT
    study: str  # hash of the study file's meaning
    measure: str
    load: float
    least: float
    most: int
    versions: tuple[str, ...]  # from the good one to the bad one
    steps: tuple[Step, ...] = ()

    def with_step(self, step: Step) -> Search:
        return msgspec.structs.replace(self, steps=(*self.steps, step))

    def answered(self, use: str) -> Step | None:
        """Returns the step of this build, if there is one."""
        return next((step for step in self.steps if step.use == use), None)


@contextmanager
def begun(folder: Path, wanted: Search) -> Iterator[Search]:
    """Yields the search in a folder, with its steps; no other process continues it meanwhile.

    Raises ConflictError when another search was begun there, InputError when its file cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / ".bisect.lock"):
        there = _read(folder / NAME)
        if there is not None and msgspec.structs.replace(there, steps=()) != wanted:
            raise ConflictError(
                f"{folder} holds the steps of another search", hint="give another folder with --results"
            )
        yield there or wanted


def keep(folder: Path, search: Search) -> None:
    """Writes the search, atomically."""
    write_whole(folder / NAME, msgspec.json.format(msgspec.json.encode(search)))


def _read(path: Path) -> Search | None:
    try:
        return json_as(named_bytes(path), Search)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} is damaged: {why_unreadable(error)}",
            hint="delete it: finished runs are found again in their folders",
        ) from error
