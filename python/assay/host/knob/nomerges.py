"""Whether the kernel makes one request of several neighbours."""

from __future__ import annotations

from assay.host.knob.queue import QueueKnob


class NoMerges(QueueKnob):
    """`0` merges, `1` only what is simple, `2` nothing."""

    name = "block.nomerges"
    attribute = "nomerges"
