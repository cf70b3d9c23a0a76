"""Doubts about what lies between two treatments, each said once for all comparisons that have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.verdict.data_loads import ONE_LOAD
from assay.verdict.results import Comparison, DoubtNote, HypothesisVerdict
from assay.wording import counted


def one_load(
    comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> Iterator[DoubtNote]:
    """Yields a doubt where treatments that are compared have data of their own, each loaded once."""
    if facts := _facts(ONE_LOAD, comparisons, hypotheses):
        message = (
            f"{_spoken(facts)} is that of data which each has of its own, and which were loaded once: what"
            " a load does by luck, such as the layout of pages, is in the ratio but not in its interval,"
            " however many blocks there are"
        )
        yield DoubtNote("one-load", message, None, None, "warning", facts)


def ratio_drifts(
    comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> Iterator[DoubtNote]:
    """Yields a doubt where the ratio of two treatments depends on the order of blocks."""
    if facts := _facts("ratio-drifts", comparisons, hypotheses):
        message = (
            f"{_spoken(facts)} drifts over the blocks, or is alike in neighbouring ones: blocks do not stand"
            " for each other, the interval is too narrow, and more blocks may give another ratio"
        )
        yield DoubtNote("ratio-drifts", message, None, None, "warning", facts)


def outlying_start(
    comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> Iterator[DoubtNote]:
    """Yields a doubt where the ratio in some block is far from that in all others."""
    if facts := _facts("outlying-start", comparisons, hypotheses):
        message = (
            f"{_spoken(facts)} is far from the others in some block: a start of another kind, of which so few"
            " blocks do not show how often it comes"
        )
        yield DoubtNote("outlying-start", message, None, None, "warning", facts)


def two_modes(
    comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> Iterator[DoubtNote]:
    """Yields a doubt where the ratio has two values, with nothing in between."""
    if facts := _facts("two-modes", comparisons, hypotheses):
        message = (
            f"{_spoken(facts)} lies in two groups over the blocks, with nothing in between: two kinds of"
            " starts, of which the mean is neither"
        )
        yield DoubtNote("two-modes", message, None, None, "warning", facts)


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
