"""The measure that results are about: one order for the first screen of a page and for rows of lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.base.format import OWN_MEASURES
from assay.results.verdict.results import Results

_RATE = "rate"


def leading_measures(results: Results, claimed: Sequence[str] = ()) -> Iterator[str]:
    """Yields measures in the order in which they stand for results: a workload's own, which others quote of
    it, those that claims are about, the headlines.

    A study that states its rate knows its throughput before: its finding is how long answers take.
    """
    if results.load_kind == _RATE:
        yield from claimed
        yield from results.headlines[1:]
    else:
        yield from (one.name for one in OWN_MEASURES)
        yield from claimed
    yield from results.headlines
