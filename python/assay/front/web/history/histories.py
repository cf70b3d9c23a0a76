"""The history of all results, computed once for each state of the catalogue."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from assay.experiments.history import STATES, Change, History, HistoryRequest, Series, Shift, history

PATIENCE_S = 5.0
"""How long a page waits for a history that is being computed, in seconds."""


@dataclass(frozen=True)
class SeriesView:
    """One series with the changes in it."""

    id: str
    series: Series
    changes: tuple[tuple[Shift, Change], ...]


Written = tuple[int, int, int]


@dataclass(frozen=True)
class _Known:
    """A history, or why there is none. `recorded`: when the records of its changes were written."""

    found: History | Exception
    recorded: Written


class Histories:
    """The histories that were asked for last. Several threads may ask at once; each is computed once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[tuple[str, HistoryRequest], _Known] = {}
        self._making: dict[tuple[str, HistoryRequest], threading.Thread] = {}
        self._lock = threading.Lock()

    def of(self, state: str, wanted: HistoryRequest, *, wait_s: float | None) -> History | None:
        """Returns the history at this state of the catalogue; None where it is still being computed.

        Raises what `history` raises.
        """
        key = (state, wanted)
        with self._lock:
            thread = self._making.get(key)
            if thread is None and key not in self._known:
                thread = threading.Thread(target=self._make, args=(key,), daemon=True)
                self._making[key] = thread
                thread.start()
        if thread is not None:
            thread.join(wait_s)
        known = self._known.get(key)
        if known is None:
            return None
        if isinstance(known.found, Exception):
            raise known.found
        recorded = _written(self._root / STATES)
        if known.recorded != recorded:
            known = _Known(known.found.restated(), recorded)
            with self._lock:
                if key in self._known:
                    self._known[key] = known
        assert isinstance(known.found, History)
        return known.found

    @property
    def is_making(self) -> bool:
        """Whether a history is being computed."""
        return bool(self._making)

    def close(self, patience_s: float) -> bool:
        """Waits for what is being computed, and returns whether it has ended in time."""
        for thread in list(self._making.values()):
            thread.join(patience_s)
        return not self._making

    def _make(self, key: tuple[str, HistoryRequest]) -> None:
        found: History | Exception
        recorded = _written(self._root / STATES)
        try:
            found = history([self._root], key[1])
        except Exception as error:  # raised again to whoever asks
            found = error
        with self._lock:
            self._known = {one: known for one, known in self._known.items() if one[0] == key[0]}
            self._known[key] = _Known(found, recorded)
            self._making.pop(key, None)


def _written(path: Path) -> Written:
    """Returns when a file was written last, with its number and size: of two writes within one tick of the
    kernel's clock the time alone does not tell. Zeros where there is none.
    """
    try:
        found = path.stat()
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_ino, found.st_size


def id_of(series: Series) -> str:
    """Returns the name of a series in addresses: a hash of what identifies it."""
    return hashlib.sha256(repr(series.identity).encode()).hexdigest()[:8]


def views(found: History) -> list[SeriesView]:
    """Returns every series with its changes; those with changes first."""
    made = [
        SeriesView(
            id_of(one),
            one,
            tuple(
                (shift, change) for shift in found.shifts for change in shift.changes if change.series is one
            ),
        )
        for one in found.series
    ]
    return sorted(made, key=lambda view: (not view.changes, -len(view.series.points)))


def only(found: History, view: SeriesView) -> History:
    """Returns the history of one series alone."""
    shifts = tuple(replace(shift, changes=(change,)) for shift, change in view.changes)
    return replace(found, series=(view.series,), shifts=shifts)
