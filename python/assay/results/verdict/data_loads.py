"""The loads of data behind treatments: which dataset every run had, so that what one load does by luck is
seen.

A dataset is loaded once and copied for every run. What that load does by luck (the layout of pages, the
extents of files) is then in every value of its treatments. It cancels in the ratio of two treatments that
share the dataset, and in no other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import duckdb
import numpy as np
from numpy.typing import NDArray

ONE_LOAD = "one-load"
Data = frozenset[str]
"""The ids of the datasets behind a value; each load of the same rows has an id of its own."""


@dataclass(frozen=True)
class DataLoads:
    """The data of each treatment's run in each block. A treatment without tables has none."""

    of: Mapping[str, Mapping[int, Data]] = field(default_factory=dict)

    def pooled(self, members: Mapping[str, Collection[str]]) -> DataLoads:
        """Returns the loads with those of groups of treatments, by the name of the group: all that its
        members had.
        """
        groups: dict[str, Mapping[int, Data]] = {}
        for name, treatments in members.items():
            data: dict[int, Data] = {}
            for treatment in treatments:
                for block, ids in self.of.get(treatment, {}).items():
                    data[block] = data.get(block, frozenset()) | ids
            groups[name] = data
        return DataLoads({**self.of, **groups})

    def apart(self, treatments: Collection[str]) -> bool:
        """Returns whether some two of these treatments have data of their own, so that luck of a load does
        not cancel between them.
        """
        known = [of for one in treatments if (of := self.of.get(one))]
        blocks = set.intersection(*map(set, known)) if len(known) > 1 else set()
        return any(len({of[block] for of in known}) > 1 for block in blocks)

    def groups(self, treatments: Collection[str]) -> dict[int, int]:
        """Returns the number of the load that treatments had in each block that all of them have: blocks
        with the same one share its luck. Nothing where there is one load.
        """
        known = [of for one in treatments if (of := self.of.get(one))]
        blocks = sorted(set.intersection(*map(set, known))) if known else []
        data = {block: tuple(of[block] for of in known) for block in blocks}
        numbers = {one: number for number, one in enumerate(dict.fromkeys(data.values()), start=1)}
        return {block: numbers[one] for block, one in data.items()} if len(numbers) > 1 else {}

    def ranks(self, treatments: Sequence[str], blocks: Sequence[int]) -> NDArray[np.int64] | None:
        """Returns the number of each treatment's load in each block (treatments x blocks) where every block
        has every load once; None where it does not.
        """
        names = sorted({name for one in self.of.values() for data in one.values() for name in data})
        table = [[self.of.get(one, {}).get(block, frozenset()) for block in blocks] for one in treatments]
        if len(names) != len(treatments) or any(len(data) != 1 for row in table for data in row):
            return None
        ranks = np.array([[names.index(next(iter(data))) for data in row] for row in table], dtype=np.int64)
        is_whole = (np.sort(ranks, axis=0) == np.arange(len(names))[:, None]).all()
        return ranks if is_whole else None

    def doubts(self, treatments: Collection[str]) -> tuple[str, ...]:
        """Returns `one-load` where treatments have data of their own and one of them was loaded once."""
        if not self.apart(treatments):
            return ()
        fewest = min(len(set(of.values())) for one in treatments if (of := self.of.get(one)))
        return (ONE_LOAD,) if fewest < 2 else ()


def read_data_loads(store: duckdb.DuckDBPyConnection) -> DataLoads:
    """Returns the data of every complete run, without those that start with no tables and load their own."""
    found: dict[str, dict[int, Data]] = defaultdict(dict)
    for treatment, block, dataset in store.execute(
        "SELECT treatment, block, dataset FROM runs"
        " WHERE status = 'complete' AND dataset IS NOT NULL AND NOT starts_with(dataset, 'empty-')"
    ).fetchall():
        found[treatment][block] = frozenset({dataset})
    return DataLoads(found)
