"""The knob `read_ahead_kb`: how far the kernel reads ahead of a sequential reader."""

from __future__ import annotations

from assay.system.host.knob.queue import UppermostQueueKnob


class ReadAhead(UppermostQueueKnob):
    """Read-ahead in KiB, whole pages; it does not affect reads with O_DIRECT."""

    name = "block.read_ahead_kb"
    attribute = "read_ahead_kb"
