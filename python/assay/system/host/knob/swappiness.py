"""The knob `vm.swappiness`: which pages the kernel reclaims first when memory is short, those of programs or
of files.
"""

from __future__ import annotations

from assay.system.host.knob.file_knob import FileKnob


class Swappiness(FileKnob):
    """0 to 200 (before Linux 5.8: to 100); the lower the value, the longer programs' pages stay in memory."""

    name = "vm.swappiness"
    absent = "it is not shown in here"

    def file(self, target: str) -> str:
        return "/proc/sys/vm/swappiness"
