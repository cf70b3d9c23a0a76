"""The sampler `cpu`: the time of all processors together. Source: /proc/stat, /proc/loadavg (proc(5))."""

from __future__ import annotations

import os

from assay.system.host.machine import Machine

_SPLIT = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal", "guest", "guest_nice")
_COUNTERS = {"ctxt": "context_switches_total", "processes": "forks_total", "intr": "interrupts_total"}
_GAUGES = {"procs_running": "procs_running", "procs_blocked": "procs_blocked"}
US_PER_TICK = 1e6 / os.sysconf("SC_CLK_TCK")


class CpuSource:
    """Source `cpu`: time of all processors together by kind of work (`user_us_total` …, in ticks of 10 ms),
    `context_switches_total`, `interrupts_total`, `forks_total`, `procs_running`, `procs_blocked`, `load_1m`,
    `load_5m`, `load_15m`.
    """

    name = "cpu"

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()

    def read(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for line in (self._machine.text("/proc/stat") or "").splitlines():
            key, *fields = line.split(None, 11)
            if key == "cpu":
                for part, ticks in zip(_SPLIT, fields, strict=False):
                    values[f"{part}_us_total"] = int(ticks) * US_PER_TICK
            elif key in _COUNTERS:
                values[_COUNTERS[key]] = float(fields[0])
            elif key in _GAUGES:
                values[_GAUGES[key]] = float(fields[0])
        load = (self._machine.text("/proc/loadavg") or "").split()
        for name, text in zip(("load_1m", "load_5m", "load_15m"), load, strict=False):
            values[name] = float(text)
        return values
