"""The knob `nr_requests`: how many requests may wait in a disk's queue."""

from __future__ import annotations

from assay.system.host.knob.queue import QueueKnob


class Requests(QueueKnob):
    """The number of requests in a disk's queue; without a scheduler, at most what the device takes. Choosing
    a scheduler resets it.
    """

    name = "block.nr_requests"
    attribute = "nr_requests"
