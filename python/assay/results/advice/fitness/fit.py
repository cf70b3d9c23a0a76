"""Says whether a disk is fit for a durable MySQL, and at how many commits a second."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Literal

from assay.results.advice.fitness.durable import Durability, durability
from assay.results.advice.fitness.kind import Classed, classed
from assay.results.advice.fitness.record import CONFIDENCE, Course, DiskDoubt, DiskMeasured, scaled
from assay.results.stats import ConfidenceInterval, fewest_blocks

LEAST_COMMITS = 60.0
"""Commits a second of one session below which no disk in order lies beneath: two turns of a disk of 7,200
turns a minute take 17 ms."""
UNSTEADY = 0.05
"""Share of seconds below half of the median from which on a disk is called unsteady."""
_FEWEST_INTERVALS = 10
_FEWEST_SLOW = 3
"""Slow seconds at least of an unsteady disk: one or two may be somebody else's."""

FitWord = Literal["fit", "fit-if-kept", "fit-unsteady", "unfit", "too-short"]
Against = Literal[
    "not-kept", "slow", "unsteady", "unproven", "too-few-blocks", "steadiness-unknown", "nothing-measured"
]


@dataclass(frozen=True)
class Fitness:
    """The word for a disk with what speaks against it. `commits` are those a second of one session, `grouped`
    those of many that share a sync; None where they were not measured.
    """

    word: FitWord
    against: tuple[Against, ...]
    commits: ConfidenceInterval | None
    grouped: ConfidenceInterval | None
    in_a_group: int  # commits that share a sync in `grouped`
    slow_share: float | None  # of the intervals, below half of the median; None where there are too few


@dataclass(frozen=True)
class DiskJudged:
    """All that is concluded from the measurement of a disk."""

    measured: DiskMeasured
    classed: Classed
    durability: Durability
    fitness: Fitness
    doubts: tuple[DiskDoubt, ...]


def judge_disk(measured: DiskMeasured) -> DiskJudged:
    """Returns everything that follows from what was measured."""
    kept = durability(measured)
    doubts = measured.doubts
    blocks = len(measured.commit.rates) if measured.commit else 0
    if blocks < fewest_blocks(CONFIDENCE):
        found = DiskDoubt("few-blocks", "warning", {"blocks": blocks, "fewest": fewest_blocks(CONFIDENCE)})
        doubts = (*doubts, found)
    kind = classed(measured)
    if kind.figures == "ram" and kind.facts != "ram":
        doubts = (*doubts, DiskDoubt("from-memory", "warning"))
    return DiskJudged(measured, kind, kept, _fitness(measured, kept), doubts)


def slow_share(course: Course | None) -> float | None:
    """Returns the share of intervals with fewer than half of the median's page writes; None below ten
    intervals.
    """
    if course is None or len(course.pages) < _FEWEST_INTERVALS:
        return None
    half = median(course.pages) / 2
    return sum(one < half for one in course.pages) / len(course.pages)


def _fitness(measured: DiskMeasured, kept: Durability) -> Fitness:
    commit, group = measured.commit, measured.group
    commits = commit.rate if commit is not None and commit.rates else None
    grouped = None
    in_a_group = group.load.commits if group is not None else 1
    if group is not None and group.rates:
        grouped = scaled(group.rate, in_a_group)
    share = slow_share(measured.course)
    against: list[Against] = []
    if kept.word == "not-kept":
        against.append("not-kept")
    if commits is None:
        against.append("nothing-measured")
    elif (commits.high if commits.high is not None else commits.value) < LEAST_COMMITS:
        against.append("slow")
    elif commits.n < fewest_blocks(CONFIDENCE):
        against.append("too-few-blocks")
    if share is None:
        against.append("steadiness-unknown")
    elif share > UNSTEADY and share * len(_pages(measured)) >= _FEWEST_SLOW:
        against.append("unsteady")
    if kept.word == "unknown":
        against.append("unproven")
    return Fitness(_word(against), tuple(against), commits, grouped, in_a_group, share)


def _pages(measured: DiskMeasured) -> tuple[float, ...]:
    return measured.course.pages if measured.course is not None else ()


def _word(against: list[Against]) -> FitWord:
    first: dict[Against, FitWord] = {
        "not-kept": "unfit",
        "nothing-measured": "too-short",
        "slow": "unfit",
        "too-few-blocks": "too-short",
        "steadiness-unknown": "too-short",
        "unsteady": "fit-unsteady",
        "unproven": "fit-if-kept",
    }
    return next((word for reason, word in first.items() if reason in against), "fit")
