"""Finds other programs at work on this machine: before the load, and during it where no sampler runs."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator

from assay.base.format.job import Target
from assay.design.folder import Doubt, Event, PhaseStart, RunResult
from assay.design.folder.others import LOAD_LIMIT, STEAL_LIMIT, UNSEEN, others_between
from assay.system.host.listener import measured_here
from assay.system.host.measuring import others_measuring
from assay.system.host.sampler.others import OthersSource

LOOK_S = 0.5
_NAMED = 3


def warning_before(target: Target | None = None, look_s: float = LOOK_S) -> str | None:
    """Returns one sentence about all that will disturb a measurement that begins now, or None; takes `look_s`
    seconds.

    `target` is the running server that will be measured, as in a job; its work is no disturbance.
    """
    said = []
    if beside := others_measuring():
        runs = "another measurement runs" if len(beside) == 1 else f"{len(beside)} other measurements run"
        said.append(f"{runs} on this machine: {_named(beside)}")
    source = OthersSource(measured_here(target))
    first = source.read()
    time.sleep(look_s)
    seen = others_between(first, source.read())
    if seen is not None and seen.disturb:
        said.append(seen.sentence)
    return "; ".join([*said, "figures measured now are too low"]) if said else None


def _named(beside: Collection[str]) -> str:
    """Returns the first few measurements by name, and how many more there are."""
    first = list(beside)[:_NAMED]
    return ", ".join(first) + (f" and {len(beside) - _NAMED} more" if len(beside) > _NAMED else "")


class Neighbours:
    """Readings of other programs' processor time at the start and end of one measured window."""

    def __init__(self, target: Target) -> None:
        servers = measured_here(target)
        self._unseen = servers is None
        self._source = OthersSource(servers)
        self._first: dict[str, float] | None = None
        self._last: dict[str, float] | None = None
        self._beside: dict[str, None] = {}

    def hear(self, event: Event) -> None:
        """Takes a reading when an event of the engine says that the measured window begins or ends."""
        match event:
            case PhaseStart(phase="measure"):
                self._first = self._source.read()
                self._look_beside()
            case PhaseStart() | RunResult() if self._first is not None and self._last is None:
                self._last = self._source.read()
                self._look_beside()
            case _:
                pass

    def doubts(self) -> Iterator[Doubt]:
        """Yields the doubts about the window, as a study's report would have them."""
        if self._beside:
            message = f"another measurement ran on this machine: {_named(self._beside)}"
            yield Doubt(kind="other-measurement", message=message, value=1.0, limit=0.0)
        if self._unseen:
            yield Doubt(kind="foreign-unseen", message=UNSEEN, value=0.0, limit=0.0)
        seen = None if self._first is None or self._last is None else others_between(self._first, self._last)
        if seen is None:
            return
        if seen.disturb:
            yield Doubt(kind="foreign-load", message=seen.sentence, value=seen.share, limit=LOAD_LIMIT)
        if seen.steal > STEAL_LIMIT:
            yield Doubt(kind="stolen-time", message=seen.stolen_sentence, value=seen.steal, limit=STEAL_LIMIT)

    def _look_beside(self) -> None:
        self._beside |= dict.fromkeys(others_measuring())
