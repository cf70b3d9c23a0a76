"""The knob of simultaneous multithreading: whether a core appears as several processors.

Source: Documentation/ABI/testing/sysfs-devices-system-cpu of the Linux kernel.
"""

from __future__ import annotations

from assay.system.host.knob.file_knob import FileKnob
from assay.system.host.machine import Machine


class Multithreading(FileKnob):
    """`on` or `off`; `off` takes the second processor of every core away from all programs.

    Programs, control groups (version 1) and interrupts that were bound to those processors are moved, and
    Linux does not move them back with `on`: only the switch is restored.
    """

    name = "cpu.smt"
    absent = "this kernel cannot switch SMT"
    moves = ("cpu.governor",)

    def file(self, target: str) -> str:
        return "/sys/devices/system/cpu/smt/control"

    def refusal(self, machine: Machine, target: str, value: str | None = None) -> str | None:
        if reason := super().refusal(machine, target, value):
            return reason
        state = self.show(machine, target)
        if state in ("notsupported", "notimplemented"):
            return (
                f"{self.file(target)} says {state}: the processors have one thread per core, or"
                " hide the others"
            )
        if state == "forceoff":
            return f"{self.file(target)} says forceoff: SMT was disabled at boot and cannot be enabled"
        return None

    def choices(self, machine: Machine, target: str) -> list[str]:
        return ["on", "off"]
