"""The knob of the frequency governor, which chooses the processors' frequency.

Source: Documentation/admin-guide/pm/cpufreq.rst of the Linux kernel.
"""

from __future__ import annotations

from pathlib import Path

from assay.base.errors import HostError
from assay.system.host.knob.file_knob import FileKnob
from assay.system.host.machine import Machine

_POLICIES = "/sys/devices/system/cpu/cpufreq"


class Governor(FileKnob):
    """The governor (`performance`, `powersave`, `schedutil` …) of every group of processors that share one
    frequency.
    """

    name = "cpu.governor"
    absent = "no driver sets the processors' frequency"

    def file(self, target: str) -> str:
        return f"{_POLICIES}/{target}/scaling_governor"

    def targets(self, machine: Machine, data: Path) -> list[str]:
        names = [name for name in machine.names(_POLICIES) if name.startswith("policy")]
        if not names:
            raise HostError(
                f"there is no {_POLICIES}/policy0: {self.absent} (in a virtual machine, the host sets it)"
            )
        return names

    def choices(self, machine: Machine, target: str) -> list[str]:
        return (machine.text(f"{_POLICIES}/{target}/scaling_available_governors") or "").split()
