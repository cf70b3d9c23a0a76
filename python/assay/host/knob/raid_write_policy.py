"""Whether a RAID controller answers a write when it has it in its own memory, or when the disks have it."""

from __future__ import annotations

from assay.host.knob.raid import WRITE_POLICY, RaidKnob


class WritePolicy(RaidKnob):
    """`write-back`, `write-through`; `always-write-back`: even with no charge in the battery."""

    name = "raid.write_policy"
    policy = WRITE_POLICY
