"""The sampler `viewers`: processor time of processes that show the study while it runs. Source:
/proc/PID/stat (proc(5)) of those that announced themselves.
"""

from __future__ import annotations

import time

from assay.design.folder import ResultsFolder
from assay.design.folder.viewers import SOURCE, Viewer, viewers_of
from assay.system.host.machine import Machine
from assay.system.host.sampler.cpu import US_PER_TICK


class ViewersSource:
    """Source `viewers`: how many `viewers` there are, and `cpu_us_total`, what all of them have used since
    the first reading.

    The work of a viewer that comes and goes stays counted.
    """

    name = SOURCE

    def __init__(self, results: ResultsFolder, machine: Machine | None = None) -> None:
        self._results = results
        self._machine = machine or Machine()
        self._last: dict[Viewer, float] = {}
        self._cpu_us = 0.0
        self._stretches: list[list[tuple[float, float]]] = [[]]

    def read(self) -> dict[str, float]:
        now = {viewer: used for viewer in viewers_of(self._results) if (used := self._used_us(viewer)) >= 0}
        self._cpu_us += sum(used - self._last.get(viewer, used) for viewer, used in now.items())
        self._last = now
        self._stretches[-1].append((time.monotonic(), self._cpu_us))
        return {"viewers": float(len(now)), "cpu_us_total": self._cpu_us}

    def begin_stretch(self) -> None:
        """Begins a new stretch of readings, such as those of a load point."""
        self._stretches.append([])

    def highest_share(self) -> float:
        """Returns the share of one processor in the stretch in which it was highest; 0 without two
        readings.
        """
        return max(map(_share, self._stretches), default=0.0)

    def _used_us(self, viewer: Viewer) -> float:
        """Returns the processor time of a viewer; -1 when it has ended."""
        fields = (self._machine.text(f"/proc/{viewer.pid}/stat") or "").rpartition(")")[2].split()
        if len(fields) < 20 or int(fields[19]) != viewer.start_ticks:
            return -1.0
        return (int(fields[11]) + int(fields[12])) * US_PER_TICK


def _share(readings: list[tuple[float, float]]) -> float:
    if len(readings) < 2:
        return 0.0
    (began, before), (ended, after) = readings[0], readings[-1]
    return (after - before) / 1e6 / (ended - began) if ended > began else 0.0
