"""The knob `raid.bgi_rate`: how much of a RAID controller's time goes to background initialisation."""

from __future__ import annotations

from assay.system.host.knob.raid import RaidKnob


class BackgroundInitialisation(RaidKnob):
    """Percentage of the whole controller's time; 0 leaves background initialisation only idle time."""

    name = "raid.bgi_rate"
    policy = "bgi_rate"
