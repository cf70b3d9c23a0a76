"""Joins the call stacks of the runs of one treatment into their mean, in microseconds of a query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from assay.design.folder import ProfileWindow, StackProfile
from assay.results.ledger.frames import called_names
from assay.results.ledger.processor import unseen_share

Calls = tuple[str, ...]
"""The names of a call stack from the root to the leaf."""
UNSEEN = "[kernel, not seen]"


@dataclass(frozen=True)
class RunProfile:
    """The profile of one run, and the server's processor time of a query in its measured window."""

    stacks: StackProfile
    window: ProfileWindow
    cpu_us_per_query: float


@dataclass(frozen=True)
class MeanProfile:
    """The mean profile of several runs: for each call stack the microseconds of server CPU of a query.

    A stack begins with the name of its thread in brackets.
    """

    name: str
    stacks: tuple[tuple[Calls, float], ...]
    runs: int

    @property
    def total_us(self) -> float:
        return sum(amount for _, amount in self.stacks)


def mean_profile(name: str, runs: Iterable[RunProfile]) -> MeanProfile | None:
    """Returns the mean over runs, each of which counts as much as any other; None without samples."""
    sums: dict[Calls, float] = defaultdict(float)
    count = 0
    for run in runs:
        stacks = run.stacks
        unseen = unseen_share(stacks, run.window)
        if not stacks.samples or unseen is None:
            continue
        count += 1
        each_us = run.cpu_us_per_query * (1 - unseen) / stacks.samples
        for one in stacks.stacks:
            thread = f"[{stacks.threads[one.thread].name or 'thread'}]"
            calls = called_names([stacks.functions[place] for place in one.functions])
            sums[thread, *calls] += one.samples * each_us
        if unseen:
            sums[UNSEEN,] += run.cpu_us_per_query * unseen
    found = sorted((calls, amount / count) for calls, amount in sums.items())
    return MeanProfile(name, tuple(found), count) if found else None
