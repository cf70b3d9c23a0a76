"""The knob `nomerges`: whether the kernel merges neighbouring requests into one."""

from __future__ import annotations

from assay.system.host.knob.queue import QueueKnob


class NoMerges(QueueKnob):
    """`0` merges requests, `1` only in simple cases, `2` never."""

    name = "block.nomerges"
    attribute = "nomerges"
