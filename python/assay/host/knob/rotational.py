"""Whether the kernel takes a disk for one that turns: it then counts the way of the heads."""

from __future__ import annotations

from assay.host.knob.queue import QueueKnob


class Rotational(QueueKnob):
    """`1` turns, `0` does not. bfq and the file systems' allocators look at it."""

    name = "block.rotational"
    attribute = "rotational"
    moves = ("block.read_ahead_kb",)  # Linux 6.11 and later compute it anew
