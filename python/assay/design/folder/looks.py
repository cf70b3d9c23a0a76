"""Types, reader and writer of `looks.json`: when a study's verdicts were looked at, and which looks were
planned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from assay.base.decoding import why_unreadable
from assay.base.locks import locked
from assay.design.folder.checksums import FORMAT, UNCHECKED_FORMAT, with_checksum
from assay.design.folder.paths import ResultsFolder
from assay.design.folder.reading import UNREADABLE, Damaged, read_verified

LOCK = ".looks.lock"
End = Literal["decided", "no-hope", "most", "budget"]


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """One look at a study's verdicts: the number of blocks, and the verdicts given."""

    blocks: int
    level: float  # two-sided, of each interval: 0.05 of 95 %
    at_wall_ns: int
    claims: tuple[str, ...] = ()  # with their own margins
    terms: dict[str, str | float] = {}  # what [verdict] said
    outcomes: dict[str, str]  # claim -> supported, refuted or undecided


class Looks(msgspec.Struct, frozen=True, kw_only=True):
    """All looks at a study. `schedule` holds the numbers of blocks fixed before the first look; empty when
    none was fixed.
    """

    format: int = UNCHECKED_FORMAT
    confidence: float  # what the study asked for: of all planned looks together
    schedule: tuple[int, ...] = ()
    level: float | None = None  # of each planned look
    seen: tuple[Look, ...] = ()
    ended: End | None = None  # why no further look is due

    def due(self, blocks: int) -> bool:
        """Returns whether verdicts may be given at this number of blocks."""
        return not self.schedule or blocks in self.schedule

    def after(self, blocks: int) -> int | None:
        """Returns the next planned look (a number of blocks) beyond `blocks`; None when there is none."""
        return next((count for count in self.schedule if count > blocks), None)


def read_looks(folder: ResultsFolder) -> Looks | None:
    """Returns the looks recorded in a results folder; None before the first. Raises `Damaged` when the file
    cannot be read.
    """
    try:
        return read_verified(folder.looks, Looks)
    except FileNotFoundError:
        return None
    except UNREADABLE as error:
        raise Damaged(
            f"{folder.looks} is damaged: {why_unreadable(error)}",
            hint="restore it from a copy: it records how often the verdicts were looked at",
        ) from error


def change_looks(folder: ResultsFolder, change: Callable[[Looks | None], Looks]) -> Looks:
    """Replaces the recorded looks with what `change` returns for them, atomically and under a lock."""
    folder.inner().mkdir(parents=True, exist_ok=True)
    with locked(folder.path / LOCK):
        looks = msgspec.structs.replace(change(read_looks(folder)), format=FORMAT)
        folder.looks.write_whole(with_checksum(looks))
    return looks
