"""Finds the highest rate over several starts of a server: one search each, and their mean with its interval.

Windows of one search share a server start with its accidents: where pages lie, which plan, which memory. The
interval of one search includes none of these. Starts are the unit of statistics here, as blocks are in
studies.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from assay.base.errors import Interrupted
from assay.experiments.bench.progress import SearchProgress
from assay.experiments.bench.rate_search import RateQuestion, Searched, SearchOutcome, find_rate
from assay.experiments.bench.request import Bench
from assay.results.stats import geometric_interval

STARTS = 5
"""Starts of a private server, unless told otherwise. Their t interval is 1.4 times as wide as one of the same
spread over very many starts would be (the 97.5 % points of t with 4 degrees of freedom and of the normal)."""
_SEEDS = 10_000
"""How far the seeds of two starts are apart: more than a search has windows."""

Start = Callable[[], AbstractContextManager[Bench]]
"""Makes a server ready, and yields the measurement to carry out on it."""


@dataclass(frozen=True)
class OverStarts:
    """The answer from several starts. `rate` is None where some start met the objective at no rate, or at
    every rate.
    """

    rate: float | None
    low: float | None
    high: float | None
    end: str


@dataclass(frozen=True)
class SearchedStarts:
    """One or more searches, one for each start. `restarted`: each had a server of its own."""

    searches: Sequence[Searched]
    wanted: int
    restarted: bool

    @property
    def complete(self) -> bool:
        """Whether all searches ended without an interrupt."""
        return len(self.searches) == self.wanted and all(one.complete for one in self.searches)

    @property
    def counted(self) -> Sequence[Searched]:
        """The searches that came to an end, or the only one."""
        return [one for one in self.searches if one.complete] or self.searches[:1]

    @property
    def found(self) -> SearchOutcome:
        """The geometric mean of the starts' rates with Student's t interval; for one start its own answer."""
        found = [one.found for one in self.counted]
        if len(found) == 1:
            return found[0]
        rates = [one.rate for one in found if one.rate is not None]
        lows = [one.low for one in found if one.low is not None]
        highs = [one.high for one in found if one.high is not None]
        if len(rates) < len(found):
            open_end = next(one.end for one in found if one.rate is None)
            return OverStarts(None, min(lows, default=None), max(highs, default=None), open_end)
        mean = geometric_interval(rates, self.searches[0].question.confidence)
        budget = next((one.end for one in found if one.end == "budget"), found[0].end)
        return OverStarts(mean.value, mean.low, mean.high, budget)

    def record(self) -> dict[str, Any]:
        """Returns the record for JSON: that of one search, or the answer and the record of each search."""
        first = self.searches[0].record()
        if self.wanted == 1:
            return first | {"restarted": self.restarted}
        found = self.found
        own = ("rate", "low", "high", "end", "capacity_tps", "probes", "complete")
        return {
            **{name: value for name, value in first.items() if name not in own},
            "rate": found.rate,
            "low": found.low,
            "high": found.high,
            "end": str(found.end),
            "complete": self.complete,
            "restarted": self.restarted,
            "starts": [{name: one.record()[name] for name in own} for one in self.searches],
        }


def find_rate_over_starts(
    start: Start, question: RateQuestion, progress: SearchProgress, *, starts: int, restarted: bool
) -> SearchedStarts:
    """Searches on `starts` servers, one after another.

    Raises the errors of a start or a window. An interrupt ends the search with the starts that are done, and
    is raised where there is none yet.
    """
    searches: list[Searched] = []
    began = time.monotonic()
    for number in range(starts):
        if starts > 1:
            took = (time.monotonic() - began) / number if number else None
            progress.starting(number + 1, starts, None if took is None else took * (starts - number))
        try:
            with start() as ready:
                seeded = replace(ready, seed=ready.seed + _SEEDS * number)
                searches.append(find_rate(seeded, question, progress))
        except Interrupted:
            if not searches:
                raise
            break
        if not searches[-1].complete:
            break
    return SearchedStarts(searches, starts, restarted)
