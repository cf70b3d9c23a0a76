"""Doubts about throughput that drifts with a run's position in its block, or with a rung's position in its
run.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import duckdb
import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.design.study import Study
from assay.results.stats import position_drift
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Observations
from assay.results.verdict.results import DoubtNote
from assay.results.verdict.treatments import Treatment

_SURE = 0.005
"""The p of each of the two tests: together they raise one in at most 1 % of studies without a drift."""


def drifts(
    study: Study,
    store: duckdb.DuckDBPyConnection,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
) -> Iterator[DoubtNote]:
    """Yields a doubt where throughput drifts beyond the margin, after the effects of treatments, rungs and
    blocks are taken out.
    """
    names = [treatment.name for treatment in treatments]
    measure = next((one for one in ("tps", "iops") if one in seen.units), None)
    if measure is None or not names:
        return
    found = [[seen.blocks(measure, Place(name, load)) for load in loads] for name in names]
    blocks = sorted(set.intersection(*(set(of) for row in found for of in row)))
    values = np.array([[[of[block] for block in blocks] for of in row] for row in found])
    if not blocks or (values <= 0).any():
        return
    logs = np.log(values)
    of_runs, of_rungs = _positions(store, names, loads, blocks)
    margin = study.verdict.known_margin
    if (change := change_beyond(logs.mean(axis=1), of_runs, margin)) is not None:
        message = _said(measure, change, "run of a block")
        yield DoubtNote(
            "drift-in-block", message, None, None, "warning", {"measure": measure, "change": change}
        )
    if (change := change_beyond(logs.mean(axis=0), of_rungs, margin)) is not None:
        message = _said(measure, change, "load point of a run")
        yield DoubtNote(
            "drift-in-run", message, None, None, "warning", {"measure": measure, "change": change}
        )


def _said(measure: str, change: float, position: str) -> str:
    return (
        f"{measure} changes by {change:+.1%} from the first {position} to the last, whatever stands there:"
        " machine, server or data changed meanwhile"
    )


def change_beyond(logs: ArrayLike, positions: ArrayLike, margin: float) -> float | None:
    """Returns the change from the first position to the last where it is certain and beyond the margin."""
    found = position_drift(logs, positions)
    if found is None or found.p_value > _SURE or abs(found.log_change) <= math.log1p(margin):
        return None
    return math.expm1(found.log_change)


def _positions(
    store: duckdb.DuckDBPyConnection, names: Sequence[str], loads: Sequence[float], blocks: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the positions of treatments in blocks, and of rungs in the runs of blocks, counted from 1."""
    runs: dict[tuple[str, int], float] = {}
    rungs: dict[tuple[float, int], list[float]] = defaultdict(list)
    for treatment, block, position, load, rung in store.execute(
        "SELECT treatment, block, position, load, rung FROM runs JOIN rungs USING (run_id, treatment, block)"
        " WHERE status = 'complete'"
    ).fetchall():
        runs[treatment, block] = position
        rungs[load, block].append(rung)
    return (
        np.array([[runs[name, block] for block in blocks] for name in names], dtype=np.float64),
        np.array([[np.mean(rungs[load, block]) for block in blocks] for load in loads]),
    )
