"""The knob `raid.cache_ratio`: how much of an HPE controller's cache is for reads; the rest is for writes."""

from __future__ import annotations

from assay.host.knob.raid import RaidKnob


class CacheRatio(RaidKnob):
    """Percentage of the whole controller's cache that is for reads. With 100, writes are not cached."""

    name = "raid.cache_ratio"
    policy = "cache_ratio"
