"""`looks.json`: when the verdicts of a study were looked at, and what had been planned of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from assay.durable import write_whole
from assay.folder.manifest import FORMAT
from assay.folder.paths import ResultsFolder
from assay.folder.reading import Damaged, check_format
from assay.locks import locked

LOCK = ".looks.lock"
End = Literal["decided", "no-hope", "most", "budget"]


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """Verdicts that were given: at how many blocks, and what they were."""

    blocks: int
    level: float  # two-sided, of each interval: 0.05 of 95 %
    at_wall_ns: int
    outcomes: dict[str, str]  # claim -> supported, refuted or undecided


class Looks(msgspec.Struct, frozen=True, kw_only=True):
    """Every look at a study. `schedule`: the numbers of blocks fixed before the first; none: nothing was."""

    format: int = FORMAT
    confidence: float  # what the study asked for: of all planned looks together
    schedule: tuple[int, ...] = ()
    level: float | None = None  # of each planned look
    seen: tuple[Look, ...] = ()
    ended: End | None = None  # why no further look is due

    def due(self, blocks: int) -> bool:
        """Whether verdicts may be given at so many blocks."""
        return not self.schedule or blocks in self.schedule

    def after(self, blocks: int) -> int | None:
        """The next look that is planned beyond so many blocks."""
        return next((count for count in self.schedule if count > blocks), None)


def read_looks(folder: ResultsFolder) -> Looks | None:
    """The looks at a results folder; None before the first. `Damaged` when the file cannot be read."""
    try:
        looks = msgspec.json.decode(folder.looks.read_bytes(), type=Looks)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(
            f"{folder.looks} is damaged: {error}",
            hint="put it back from a copy; without it nobody knows how often the verdicts were looked at",
        ) from error
    check_format(looks.format, FORMAT, str(folder.looks))
    return looks


def change_looks(folder: ResultsFolder, change: Callable[[Looks | None], Looks]) -> Looks:
    """Writes what `change` makes of the looks, whole or not at all; one process at a time changes them."""
    folder.path.mkdir(parents=True, exist_ok=True)
    with locked(folder.path / LOCK):
        looks = change(read_looks(folder))
        write_whole(folder.looks, msgspec.json.format(msgspec.json.encode(looks)))
    return looks
