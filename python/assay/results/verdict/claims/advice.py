"""Judges a recommendation by the outcomes of the claims on which it rests."""

from __future__ import annotations

from collections.abc import Mapping

from assay.design.study import Hypothesis, in_language
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.decision import whole
from assay.results.verdict.phrases import phrase


def verdict(of: Hypothesis, because: Mapping[str, HypothesisVerdict | None]) -> HypothesisVerdict:
    """Returns a recommendation's verdict, from those of its claims; a recommendation among them counts as
    undecided.
    """
    known = {name: one for name, one in because.items() if one is not None}
    outcome = whole(["undecided" if one is None else one.outcome for one in because.values()])
    rests = tuple(phrase(f"rests-{one.word}", name=name) for name, one in known.items())
    return HypothesisVerdict(
        claim=of.text,
        source=in_language(of.source) or None,
        outcome=outcome,
        explanation=((phrase(f"advice-{outcome}", rests=rests),),),
        parts=tuple(part for one in known.values() for part in one.parts),
        more_blocks=max((one.more_blocks for one in known.values() if one.more_blocks), default=None),
        too_many_blocks=any(one.too_many_blocks for one in known.values()),
    )
