"""The knob `wbt_lat_usec`: how long a read may take before the kernel throttles write-back."""

from __future__ import annotations

from assay.system.host.knob.queue import QueueKnob


class WritebackThrottle(QueueKnob):
    """Limit in microseconds; `0` disables the throttle. Choosing a scheduler may reset it."""

    name = "block.wbt_lat_usec"
    attribute = "wbt_lat_usec"
