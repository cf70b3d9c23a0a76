"""The knob `rotational`: whether the kernel treats a disk as a spinning one, whose seeks cost time."""

from __future__ import annotations

from assay.system.host.knob.queue import QueueKnob


class Rotational(QueueKnob):
    """`1` marks the disk as spinning, `0` as not; bfq and the allocators of file systems read it."""

    name = "block.rotational"
    attribute = "rotational"
    moves = ("block.read_ahead_kb",)  # Linux 6.11 and later compute it anew
