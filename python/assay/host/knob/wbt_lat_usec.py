"""How long a read may take before the kernel holds writing-back down."""

from __future__ import annotations

from assay.host.knob.queue import QueueKnob


class WritebackThrottle(QueueKnob):
    """Microseconds; `0` never holds it down. Choosing a scheduler may set it anew."""

    name = "block.wbt_lat_usec"
    attribute = "wbt_lat_usec"
