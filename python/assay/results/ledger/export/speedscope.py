"""The form of https://www.speedscope.app, whose schema is its file-format-schema.json."""

from __future__ import annotations

import json

from assay.base.version import VERSION
from assay.results.ledger.export.mean_profile import MeanProfile

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def written(profile: MeanProfile) -> bytes:
    """Returns the profile with microseconds of server CPU per query as weights."""
    places: dict[str, int] = {}
    samples = [[places.setdefault(one, len(places)) for one in calls] for calls, _ in profile.stacks]
    return json.dumps(
        {
            "$schema": _SCHEMA,
            "exporter": f"assay {VERSION}",
            "name": f"{profile.name}: server CPU per query",
            "activeProfileIndex": 0,
            "shared": {"frames": [{"name": name} for name in places]},
            "profiles": [
                {
                    "type": "sampled",
                    "name": profile.name,
                    "unit": "microseconds",
                    "startValue": 0,
                    "endValue": profile.total_us,
                    "samples": samples,
                    "weights": [amount for _, amount in profile.stacks],
                }
            ],
        },
        separators=(",", ":"),
    ).encode()
