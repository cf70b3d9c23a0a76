"""How many requests may stand in a disk's queue."""

from __future__ import annotations

from assay.host.knob.queue import QueueKnob


class Requests(QueueKnob):
    """Without a scheduler at most what the device takes. Choosing a scheduler sets it anew."""

    name = "block.nr_requests"
    attribute = "nr_requests"
