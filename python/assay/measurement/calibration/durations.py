"""Keeps how long the steps around measurements took on this machine, for forecasts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from assay.base.durable import write_whole
from assay.base.locks import locked
from assay.system.server import home

_FAR = 10
"""How many times as large a step may be whose length is told by another's."""

MOST_KEPT = 500
"""Most steps that are kept; the oldest are removed first."""

Kind = Literal["loading", "around", "judging"]
"""The load of a dataset; a run without its windows (restoring, starting, checking, stopping); from the last
run to the report.
"""


class StepTook(msgspec.Struct, frozen=True, kw_only=True):
    """A step that was carried out. `what` names its like: a workload, a server; `size` is what its length
    depends on: rows, bytes, runs.
    """

    kind: Kind
    what: str = ""
    size: int = 0
    seconds: float


@dataclass(frozen=True)
class Durations:
    """The steps that this machine has carried out, the newest last."""

    kept: tuple[StepTook, ...] = ()

    def expected_s(self, kind: Kind, what: str, size: int) -> float | None:
        """Returns the seconds that such a step takes, by the one of its like that is nearest in size; None
        where none was at most ten times as large or as small: what takes a second whatever its size would
        be taken for a slow one.

        What is larger takes longer in proportion. What is smaller does not take less than the shortest did.
        """
        alike = [one for one in reversed(self.kept) if (one.kind, one.what) == (kind, what)]
        nearest = min(alike, key=lambda one: _apart(one.size, size), default=None)
        if nearest is None or _apart(nearest.size, size) > math.log(_FAR):
            return None
        seconds = nearest.seconds * size / nearest.size if size and nearest.size else nearest.seconds
        return max(seconds, min(one.seconds for one in alike))


def _apart(one: int, other: int) -> float:
    return abs(math.log((one + 1) / (other + 1)))


def kept_durations() -> Durations:
    """Returns what is kept; nothing where the file is missing or cannot be read: later steps fill it."""
    try:
        return Durations(msgspec.json.decode(_path().read_bytes(), type=tuple[StepTook, ...]))
    except (OSError, ValueError):
        return Durations()


def keep_durations(found: Iterable[StepTook]) -> None:
    """Keeps these steps. A file that cannot be written disturbs no measurement: forecasts go without."""
    with suppress(OSError):
        path = _path()
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_name(".durations.lock")):
            kept = (*kept_durations().kept, *found)[-MOST_KEPT:]
            write_whole(path, msgspec.json.encode(kept))


def _path() -> Path:
    return home() / "durations.json"
