"""The knob `raid.read_policy`: whether a RAID controller reads ahead."""

from __future__ import annotations

from assay.system.host.knob.raid import RaidKnob


class ReadPolicy(RaidKnob):
    """`normal` never reads ahead, `read-ahead` always does, `adaptive` does for sequential reads (MegaCli
    only).
    """

    name = "raid.read_policy"
    policy = "read_policy"
