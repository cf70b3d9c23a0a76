"""The doubt of conservation: the server counts statements too, and its count stands beside what was sent."""

from __future__ import annotations

import math

from assay.base.doubts.figures import RungFigures
from assay.base.format import limits
from assay.base.format.event import Doubt
from assay.base.wording import counted

LIMIT, AROUND = limits.CONSERVATION, limits.CONSERVATION_AROUND


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when the server counted other statements than were sent."""
    known = figures.statements
    if known is None:
        return None
    slack = int(known.sent * LIMIT) + AROUND + known.unsure
    most = known.sent + slack + limits.SAMPLES_PER_SECOND * math.ceil(known.elapsed_s) + (known.goodbyes or 0)
    if known.sent - slack <= known.counted and (known.counted <= most or known.goodbyes is None):
        return None
    whose = "some were lost" if known.counted < known.sent else "other clients of this server, most likely"
    return Doubt(
        kind="conservation",
        message=f"{counted(known.sent, 'statement')} {'was' if known.sent == 1 else 'were'} sent, the server"
        f" counted {known.counted:,}: {whose}",
        value=abs(known.counted - known.sent) / max(known.sent, 1),
        limit=LIMIT,
    )
