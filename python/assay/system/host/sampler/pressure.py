"""The sampler `pressure`: time that tasks waited for processors, memory or I/O. Source: /proc/pressure
(PSI).
"""

from __future__ import annotations

import re

from assay.system.host.machine import Machine

_LINE = re.compile(r"^(some|full) .*total=(\d+)", re.MULTILINE)


class PressureSource:
    """Source `pressure`: `cpu.some_us_total`, `io.full_us_total` …; empty on a kernel without PSI."""

    name = "pressure"

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()

    def read(self) -> dict[str, float]:
        return {
            f"{resource}.{share}_us_total": float(total)
            for resource in ("cpu", "memory", "io")
            for share, total in _LINE.findall(self._machine.text(f"/proc/pressure/{resource}") or "")
        }
