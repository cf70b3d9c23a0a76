"""How far the kernel reads ahead of somebody who reads a file in order."""

from __future__ import annotations

from assay.host.knob.queue import UppermostQueueKnob


class ReadAhead(UppermostQueueKnob):
    """KiB; whole pages. Reads with O_DIRECT do not feel it."""

    name = "block.read_ahead_kb"
    attribute = "read_ahead_kb"
