"""Doubts about hosts of a fleet that disagree about what their blocks compare."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.base.wording import counted
from assay.results.verdict.agreement import HostAgreement
from assay.results.verdict.results import DoubtNote

_SURE = 0.01
"""The doubt is raised in at most this share of studies whose hosts agree."""


def hosts_disagree(agreements: Sequence[HostAgreement]) -> Iterator[DoubtNote]:
    """Yields one doubt where hosts have different ratios: certainly (the p-values of all comparisons are held
    against one rate together), and by more than the margin.
    """
    tested = [(one, one.p_value) for one in agreements if one.p_value is not None]
    apart = [one for one, p_value in tested if p_value <= _SURE / len(tested) and _is_beyond_margin(one)]
    if not apart:
        return
    worst = max(apart, key=_spread)
    low, high = (pick(worst.by_host, key=lambda one: one.ratio) for pick in (min, max))
    message = (
        f"hosts disagree about {counted(len(apart), 'comparison')} of {len(tested)}, most about"
        f" {worst.measure} of {worst.other} to {worst.baseline} at {worst.load:g}:"
        f" ×{low.ratio:.3g} on {low.spoken} and ×{high.ratio:.3g} on {high.spoken}. The ratio over"
        " all hosts is that of no machine"
    )
    facts: dict[str, str | float] = {
        "count": len(apart),
        "tested": len(tested),
        "measure": worst.measure,
        "treatment": worst.other,
        "baseline": worst.baseline,
        "low": low.ratio,
        "low_host": low.spoken,
        "high": high.ratio,
        "high_host": high.spoken,
    }
    yield DoubtNote("hosts-disagree", message, None, None, "warning", facts)


def _spread(one: HostAgreement) -> float:
    ratios = [host.ratio for host in one.by_host]
    return math.log(max(ratios) / min(ratios))


def _is_beyond_margin(one: HostAgreement) -> bool:
    return _spread(one) > math.log1p(one.margin)
