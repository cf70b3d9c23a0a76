"""The sampler `frequency`: the processors' clock. Source: /sys/devices/system/cpu/cpufreq (cpufreq.rst of the
kernel).
"""

from __future__ import annotations

from assay.system.host.machine import Machine

_POLICIES = "/sys/devices/system/cpu/cpufreq"


class FrequencySource:
    """Source `frequency`: `mean_mhz`, `min_mhz`, `max_mhz` over groups of processors that share one clock.

    A virtual machine, whose clock its host sets, has no values.
    """

    name = "frequency"

    def __init__(self, machine: Machine | None = None) -> None:
        self._machine = machine or Machine()
        names = self._machine.names(_POLICIES)
        self._files = [f"{_POLICIES}/{name}/scaling_cur_freq" for name in names if name.startswith("policy")]

    def read(self) -> dict[str, float]:
        khz = [value for file in self._files if (value := self._machine.number(file)) is not None]
        if not khz:
            return {}
        return {
            "mean_mhz": sum(khz) / len(khz) / 1000,
            "min_mhz": min(khz) / 1000,
            "max_mhz": max(khz) / 1000,
        }
