"""The knob `vm.dirty_background_ratio`: how much written data starts background write-back."""

from __future__ import annotations

from assay.system.host.knob.dirty_ratio import DirtyRatio


class DirtyBackgroundRatio(DirtyRatio):
    """Percentage of available memory at which the kernel starts to write data back. A setting in bytes is
    restored as for `vm.dirty_ratio`.
    """

    name = "vm.dirty_background_ratio"
    bytes_file = "/proc/sys/vm/dirty_background_bytes"

    def file(self, target: str) -> str:
        return "/proc/sys/vm/dirty_background_ratio"
