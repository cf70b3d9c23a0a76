"""Finds the change points of series, and joins those between the same two builds."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.experiments.history.series import Series
from assay.results.stats import change_points
from assay.results.verdict import higher_is_better


@dataclass(frozen=True)
class Change:
    """A step of one series: `ratio` is the level after / the level before, with its 95 % interval."""

    series: Series
    before: str  # the last build on the old level
    after: str  # the first on the new one
    ratio: float
    low: float
    high: float
    p_value: float

    @property
    def is_better(self) -> bool:
        """Whether the step is an improvement."""
        return (self.ratio > 1) == higher_is_better(self.series.measure)

    @property
    def size(self) -> float:
        """The size of the step as a share, equal in both directions."""
        return max(self.ratio, 1 / self.ratio) - 1


@dataclass(frozen=True)
class Shift:
    """All series that step between the same two builds; `changes` has the largest first.

    `of` is the number of series that have both builds. `before_use` and `after_use` name the builds as a
    study does.
    """

    id: str
    before: str
    after: str
    before_use: str
    after_use: str
    changes: tuple[Change, ...]
    of: int

    @property
    def largest(self) -> Change:
        return self.changes[0]

    @property
    def better(self) -> int:
        """Number of series that became better; the others became worse."""
        return sum(change.is_better for change in self.changes)


def changes_of(series: Series, least: float | None = None) -> tuple[Change, ...]:
    """Returns the change points of one series. `least`: the smallest change that counts, None: the series'
    own.
    """
    points = series.points
    found = change_points([point.value for point in points], least=series.least if least is None else least)
    return tuple(
        Change(
            series=series,
            before=points[one.index - 1].build,
            after=points[one.index].build,
            ratio=one.ratio,
            low=one.low,
            high=one.high,
            p_value=one.p_value,
        )
        for one in found
    )


def shifts_of(changes: Iterable[Change], series: Sequence[Series]) -> list[Shift]:
    """Returns the changes, those between the same two builds joined, in the order of the builds."""
    by_builds: dict[tuple[str, str], list[Change]] = defaultdict(list)
    for one in changes:
        by_builds[one.before, one.after].append(one)
    names = [{point.build: point for point in one.points} for one in series]
    uses = {build: point for points in names for build, point in points.items()}
    found = [
        Shift(
            id=hashlib.sha256(f"{before}\n{after}".encode()).hexdigest()[:8],
            before=before,
            after=after,
            before_use=uses[before].use,
            after_use=uses[after].use,
            changes=tuple(sorted(parts, key=lambda one: -one.size)),
            of=sum(before in points and after in points for points in names),
        )
        for (before, after), parts in by_builds.items()
    ]
    return sorted(found, key=lambda one: (uses[one.after].started_ns, one.id))
