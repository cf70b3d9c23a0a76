"""The sampler `cores`: the time of each processor. Source: /proc/stat (proc(5))."""

from __future__ import annotations

from assay.system.host.machine import Machine
from assay.system.host.sampler.cpu import US_PER_TICK

# Fields of a line: user nice system idle iowait irq softirq steal (guest time is in user's already).
_BUSY = (0, 1, 2, 5, 6)
_USER = (0, 1)
_IOWAIT, _SOFTIRQ, _STEAL = 4, 6, 7


class CoresSource:
    """Source `cores`: `0.busy_us_total`, `0.user_us_total` and `0.softirq_us_total` (parts of busy; the rest
    is the kernel's other work), `0.iowait_us_total`, `0.steal_us_total` of each processor, in ticks of 10 ms.

    A mean over many processors hides a single one that is saturated by interrupts or by one thread. Source
    `cpu` has the full breakdown over all processors.
    """

    name = "cores"

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()

    def read(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for line in (self._machine.text("/proc/stat") or "").splitlines():
            key, *fields = line.split(None, 11)
            number = key.removeprefix("cpu")
            if key == number:  # the lines of processors stand first
                break
            if not number or len(fields) <= _STEAL:
                continue
            ticks = [int(field) * US_PER_TICK for field in fields[: _STEAL + 1]]
            values[f"{number}.busy_us_total"] = sum(ticks[at] for at in _BUSY)
            values[f"{number}.user_us_total"] = sum(ticks[at] for at in _USER)
            values[f"{number}.iowait_us_total"] = ticks[_IOWAIT]
            values[f"{number}.softirq_us_total"] = ticks[_SOFTIRQ]
            values[f"{number}.steal_us_total"] = ticks[_STEAL]
        return values
