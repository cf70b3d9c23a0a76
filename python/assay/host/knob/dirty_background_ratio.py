"""When the kernel begins to write data back by itself."""

from __future__ import annotations

from assay.host.knob.dirty_ratio import DirtyRatio


class DirtyBackgroundRatio(DirtyRatio):
    """Per cent of available memory; in bytes as `vm.dirty_ratio`."""

    name = "vm.dirty_background_ratio"
    bytes_file = "/proc/sys/vm/dirty_background_bytes"

    def file(self, target: str) -> str:
        return "/proc/sys/vm/dirty_background_ratio"
