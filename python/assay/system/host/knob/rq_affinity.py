"""The knob `rq_affinity`: the processor on which a block device completes a request."""

from __future__ import annotations

from assay.system.host.knob.queue import QueueKnob


class RequestAffinity(QueueKnob):
    """`0` completes a request where its interrupt arrives, `1` in the requester's group of processors, `2` on
    the requester's own processor.
    """

    name = "block.rq_affinity"
    attribute = "rq_affinity"
