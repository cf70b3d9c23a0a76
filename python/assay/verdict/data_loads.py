"""The loads of data behind treatments: which dataset every run had, so that what one load does by luck is
seen.

A dataset is loaded once and copied for every run. What that load does by luck (the layout of pages, the
extents of files) is then in every value of its treatments. It cancels in the ratio of two treatments that
share the dataset, and in no other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import duckdb

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
