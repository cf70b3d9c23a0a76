"""How much of an HPE controller's cache is for reads; the rest is for writes."""

from __future__ import annotations

from assay.host.knob.raid import RaidKnob


class CacheRatio(RaidKnob):
    """Per cent, of the whole controller. With 100 nothing is left for writes: they go through."""

    name = "raid.cache_ratio"
    policy = "cache_ratio"
