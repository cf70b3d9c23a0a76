"""The bill of materials beside a release.

Source: CycloneDX 1.5, JSON (ECMA-424).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from assay.base.version import VERSION

from scripts.releasing.components import Component
from scripts.releasing.outcome import Outcome, judged


def bill(parts: Sequence[Component], made_at: int) -> str:
    """Returns the bill as JSON; `made_at`: seconds since 1970. The same parts and time make the same text."""
    listed = [_listed(one) for one in parts]
    number = uuid.uuid5(uuid.NAMESPACE_URL, f"assay {VERSION} {made_at} {json.dumps(listed)}")
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(made_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": f"assay@{VERSION}",
                "name": "assay",
                "version": VERSION,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": listed,
        "dependencies": [{"ref": f"assay@{VERSION}", "dependsOn": [one.url for one in parts]}],
    }
    return json.dumps(whole, indent=1) + "\n"


def bill_is_of(parts: Sequence[Component], text: str | None) -> Outcome:
    """Checks that a bill names exactly these parts; `text` is None where there is none."""
    if text is None:
        return Outcome("failed", "dist has no bill: scripts/release --build writes it")
    named = {one["purl"] for one in json.loads(text)["components"]}
    real = {one.url for one in parts}
    wrong = [f"lacks {one}" for one in sorted(real - named)] + [
        f"names {one}" for one in sorted(named - real)
    ]
    return judged(wrong, f"{len(real)} components")


def _listed(one: Component) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": one.url,
        "name": one.name,
        "version": one.version,
        "purl": one.url,
        "licenses": [{"expression": one.licence}] if one.licence else [],
    }
