"""The knob `raid.write_policy`: whether a RAID controller acknowledges a write from its cache or from the
disks.
"""

from __future__ import annotations

from assay.system.host.knob.raid import WRITE_POLICY, RaidKnob


class WritePolicy(RaidKnob):
    """`write-back` acknowledges from the cache, `write-through` from the disks, `always-write-back` from the
    cache even with an uncharged battery.
    """

    name = "raid.write_policy"
    policy = WRITE_POLICY
