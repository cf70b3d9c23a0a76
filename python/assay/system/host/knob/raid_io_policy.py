"""The knob `raid.io_policy`: whether a RAID controller keeps data it has read in its cache."""

from __future__ import annotations

from assay.system.host.knob.raid import RaidKnob


class IoPolicy(RaidKnob):
    """`cached` keeps read data in the controller's cache, `direct` does not."""

    name = "raid.io_policy"
    policy = "io_policy"
