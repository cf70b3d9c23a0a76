"""Finds other programs at work on this machine: before the load, and during it where no sampler runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator

from assay.base.format.job import Target
from assay.design.folder import Doubt, Event, Hello, PhaseStart, RunResult
from assay.design.folder.others import LOAD_LIMIT, STEAL_LIMIT, UNSEEN, others_between
from assay.system.host.listener import measured_here
from assay.system.host.measuring import others_measuring
from assay.system.host.sampler.others import OthersSource

LOOK_S = 0.5
_NAMED = 3


class LookAround:
    """A look at other programs on this machine, from now until the engine has accepted a job.

    A mistake in the job is so told at once, and without a warning.

    `target` is the running server that will be measured, as in a job; its work is no disturbance.
    """

    def __init__(self, target: Target | None = None, look_s: float | None = None) -> None:
        self._beside = others_measuring()
        self._source = OthersSource(measured_here(target))
        self._first = self._source.read()
        self._until = time.monotonic() + (LOOK_S if look_s is None else look_s)
        self._is_over = False

    def hear(self, event: Event, note: Callable[[str], None]) -> None:
        """Calls `note` with the warning, if there is one, when the engine has accepted its first job."""
        if isinstance(event, Hello) and not self._is_over:
            self._is_over = True
            if warning := self.warning():
                note(warning)

    def warning(self) -> str | None:
        """Returns one sentence about all that will disturb the measurement, or None; waits until `look_s`
        seconds have passed.
        """
        said = []
        if self._beside:
            many = len(self._beside)
            runs = "another measurement runs" if many == 1 else f"{many} other measurements run"
            said.append(f"{runs} on this machine: {_named(self._beside)}")
        time.sleep(max(0.0, self._until - time.monotonic()))
        seen = others_between(self._first, self._source.read())
        if seen is not None and seen.disturb:
            said.append(seen.sentence)
        return "; ".join([*said, "figures measured now are too low"]) if said else None


def warning_before(target: Target | None = None, look_s: float | None = None) -> str | None:
    """Returns one sentence about all that will disturb a measurement that begins now, or None; takes `look_s`
    seconds.
    """
    return LookAround(target, look_s).warning()


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
