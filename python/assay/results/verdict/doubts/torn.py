"""Doubts that the runs of a block were not done together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import duckdb

from assay.design.plan import longest_pause_s
from assay.results.verdict.results import DoubtNote


@dataclass(frozen=True)
class _Run:
    run_id: str
    start_s: float
    end_s: float


def torn_blocks(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields doubts about runs done apart from the rest of their block: repeated, or done after an
    interruption.

    A block is the unit of statistics because its runs see the same machine in the same hour; these did not.
    """
    blocks: dict[int, list[_Run]] = defaultdict(list)
    for run, block, start_ns, end_ns in store.execute(
        "SELECT run_id, block, started_ns, ended_ns FROM runs WHERE status = 'complete' ORDER BY started_ns"
    ).fetchall():
        blocks[block].append(_Run(run, start_ns / 1e9, end_ns / 1e9))
    for block, runs in sorted(blocks.items()):
        for run, apart_s in _apart(runs):
            hours = apart_s / 3600
            message = (
                f"the run was done {hours:.1f} h apart from the others of block {block}: it is compared with"
                " them as if all had seen the machine in the same hour"
            )
            yield DoubtNote("torn-block", message, run, None, "warning", {"hours": hours, "block": block})


def _apart(runs: Sequence[_Run]) -> Iterator[tuple[str, float]]:
    """Yields the ids of runs outside the largest group done in one go, with the seconds to the nearest other
    run.
    """
    limit_s = longest_pause_s(run.end_s - run.start_s for run in runs)
    groups: list[list[_Run]] = []
    for run in runs:
        if groups and run.start_s - groups[-1][-1].end_s <= limit_s:
            groups[-1].append(run)
        else:
            groups.append([run])
    largest = max(groups, key=len)
    for group in groups:
        if group is not largest:
            away_s = max(group[0].start_s - largest[-1].end_s, largest[0].start_s - group[-1].end_s)
            yield from ((run.run_id, away_s) for run in group)
