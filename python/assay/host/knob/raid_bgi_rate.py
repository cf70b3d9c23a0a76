"""How much of a RAID controller's time goes to initialising drives in the background."""

from __future__ import annotations

from assay.host.knob.raid import RaidKnob


class BackgroundInitialisation(RaidKnob):
    """Per cent, of the whole controller; 0 gives it what nobody else needs."""

    name = "raid.bgi_rate"
    policy = "bgi_rate"
