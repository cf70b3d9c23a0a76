"""Whether a RAID controller keeps what it has read for the next reader."""

from __future__ import annotations

from assay.host.knob.raid import RaidKnob


class IoPolicy(RaidKnob):
    """`direct` does not, `cached` does."""

    name = "raid.io_policy"
    policy = "io_policy"
