"""What the kernel gives up first when memory is short: programs' pages, or those of files."""

from __future__ import annotations

from assay.host.knob.file_knob import FileKnob


class Swappiness(FileKnob):
    """0 to 200 (before Linux 5.8: to 100); the lower, the longer programs' pages stay."""

    name = "vm.swappiness"
    absent = "it is not shown in here"

    def file(self, target: str) -> str:
        return "/proc/sys/vm/swappiness"
