"""The knob `vm.dirty_ratio`: how much written data may wait in memory."""

from __future__ import annotations

from typing import ClassVar

from assay.system.host.knob.file_knob import FileKnob, put
from assay.system.host.machine import Machine

_BYTES = " bytes"


class DirtyRatio(FileKnob):
    """Percentage of available memory at which writers must wait for the disk.

    Where the machine has the limit in bytes (vm.dirty_bytes), the kernel shows 0 here, and clears the bytes
    as soon as a ratio is written. Such a limit is restored in bytes.
    """

    name = "vm.dirty_ratio"
    absent = "it is not shown in here"
    bytes_file: ClassVar[str] = "/proc/sys/vm/dirty_bytes"

    def file(self, target: str) -> str:
        return "/proc/sys/vm/dirty_ratio"

    def show(self, machine: Machine, target: str) -> str:
        size = machine.number(self.bytes_file)
        return f"{size}{_BYTES}" if size else super().show(machine, target)

    def write(self, machine: Machine, target: str, value: str) -> None:
        if value.endswith(_BYTES):
            put(machine, self.bytes_file, value.removesuffix(_BYTES))
        else:
            super().write(machine, target, value)

    def by_hand(self, target: str, value: str) -> str:
        if value.endswith(_BYTES):
            return f"echo {value.removesuffix(_BYTES)} > {self.bytes_file}"
        return super().by_hand(target, value)
