"""The processor on which a block device completes a request."""

from __future__ import annotations

from assay.host.knob.queue import QueueKnob


class RequestAffinity(QueueKnob):
    """`0` where the interrupt comes in, `1` in the group of the one that asked, `2` on that very one."""

    name = "block.rq_affinity"
    attribute = "rq_affinity"
