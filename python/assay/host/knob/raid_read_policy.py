"""Whether a RAID controller reads ahead."""

from __future__ import annotations

from assay.host.knob.raid import RaidKnob


class ReadPolicy(RaidKnob):
    """`normal` does not, `read-ahead` always, `adaptive` when it sees reads in order (MegaCli only)."""

    name = "raid.read_policy"
    policy = "read_policy"
