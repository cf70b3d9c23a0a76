"""Doubts about what lies between two treatments, each said once for all comparisons that have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.verdict.data_loads import ONE_LOAD
from assay.verdict.results import Comparison, DoubtNote, HypothesisVerdict
from assay.wording import counted


def one_load(
    comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> Iterator[DoubtNote]:
    """Yields a doubt where treatments that are compared have data of their own, each loaded once."""
    pairs = _pairs(ONE_LOAD, comparisons, hypotheses)
    if not pairs:
        return
    other, baseline = pairs[0]
    what = "treatments have" if len(pairs) == 1 else f"{counted(len(pairs), 'pair')} of treatments have"
    message = (
        f"{what} data of their own, each loaded once ({other} and {baseline}"
        f"{', …' if len(pairs) > 1 else ''}): what one load does by luck, such as the layout of pages, is in"
        " their ratios but not in the intervals, however many blocks there are"
    )
    facts: dict[str, str | int] = {"count": len(pairs), "treatment": other, "baseline": baseline}
    yield DoubtNote("one-load", message, None, None, "warning", facts)


def _pairs(
    kind: str, comparisons: Sequence[Comparison], hypotheses: Sequence[HypothesisVerdict]
) -> list[tuple[str, str]]:
    """Returns the treatments of all that has this doubt, in pairs, whichever stands first."""
    found = [(one.other, one.baseline) for one in comparisons if kind in one.doubts]
    for verdict in hypotheses:
        for part in verdict.parts:
            if kind in part.doubts:
                first, *others = part.treatments
                found += [(first, other) for other in others]
    return list({frozenset(pair): pair for pair in reversed(found)}.values())[::-1]
