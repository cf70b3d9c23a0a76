"""Doubts about what lies between two treatments, each said once for all comparisons that have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.base.wording import counted
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.compared import Comparison
from assay.results.verdict.data_loads import ONE_LOAD
from assay.results.verdict.results import DoubtNote

SAID = {
    ONE_LOAD: "is that of data which each has of its own, and which were loaded once: what a load does by"
    " luck, such as the layout of pages, is in the ratio but not in its interval, however many blocks"
    " there are",
    "ratio-drifts": "drifts over the blocks, or is alike in neighbouring ones: blocks do not stand for each"
    " other, the interval is too narrow, and more blocks may give another ratio",
    "outlying-start": "is far from the others in some block: a start of another kind, of which so few blocks"
    " do not show how often it comes; noise with heavy tails alone looks like that in up to a tenth of"
    " ratios",
    "two-modes": "lies in two groups over the blocks, with nothing in between: two kinds of starts, of which"
    " the mean is neither",
}
"""What each kind says of the ratio of two treatments."""


def between(
    comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> Iterator[DoubtNote]:
    """Yields a doubt of each kind that the ratio of some treatments has."""
    for kind, said in SAID.items():
        if facts := _facts(kind, comparisons, hypotheses):
            yield DoubtNote(kind, f"{_spoken(facts)} {said}", None, None, "warning", facts)


def _facts(
    kind: str, comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> dict[str, str | int]:
    pairs = _pairs(kind, comparisons, hypotheses)
    if not pairs:
        return {}
    return {"count": len(pairs), "treatment": pairs[0][0], "baseline": pairs[0][1]}


def _spoken(facts: Mapping[str, str | int]) -> str:
    many = f" (and of {counted(int(facts['count']) - 1, 'other pair')})" if facts["count"] != 1 else ""
    return f"the ratio of {facts['treatment']} to {facts['baseline']}{many}"


def _pairs(
    kind: str, comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> list[tuple[str, str]]:
    """Returns the treatments of all that has this doubt, in pairs, whichever stands first."""
    found = [(one.other, one.baseline) for one in comparisons if kind in one.doubts]
    for verdict in hypotheses:
        for part in verdict.parts:
            if kind in part.doubts:
                first, *others = part.treatments
                found += [(first, other) for other in others or (first,)]
    return list({frozenset(pair): pair for pair in reversed(found)}.values())[::-1]
