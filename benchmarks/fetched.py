"""Finds peers that the user has fetched and built, by a variable or on PATH; the bench fetches none."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from benchmarks.child import ContestantFailed


@dataclass(frozen=True)
class Fetched:
    """A peer in a folder of its own. `files` are names, or patterns of names, that its folder must hold.

    `how` says in a sentence where to get it and what to build.
    """

    name: str
    variable: str
    files: tuple[str, ...]
    how: str

    def missing(self) -> str | None:
        """Returns why the peer cannot take part and what to do about it; None when it is there."""
        if self._found() is not None:
            return None
        named = os.environ.get(self.variable)
        if named:
            return f"{self.variable}={named} has no {' and '.join(self._absent(Path(named)))}. {self.how}"
        return f"{self.name} was not found. {self.how}; then set {self.variable} to its folder."

    def folder(self) -> Path:
        """Returns the peer's folder. Raises ContestantFailed, which says what is missing, when it is not
        there.
        """
        found = self._found()
        if found is None:
            raise ContestantFailed(self.missing() or "")
        return found

    def _found(self) -> Path | None:
        named = os.environ.get(self.variable)
        if named:
            place = Path(named).expanduser().resolve()
            return None if self._absent(place) else place
        first = shutil.which(self.files[0])
        if first is None:
            return None
        place = Path(first).resolve().parent
        return None if self._absent(place) else place

    def _absent(self, place: Path) -> list[str]:
        return [pattern for pattern in self.files if not any(place.glob(pattern))]
