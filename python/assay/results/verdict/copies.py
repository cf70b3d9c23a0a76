"""Analyses equal copies of one treatment: how much single runs vary, and the effects of place in the block
and time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import numpy as np

from assay.results.stats import drift, row_effect, spread, spread_between
from assay.results.verdict.agreement import CopySpread
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment


def copy_spreads(
    store: duckdb.DuckDBPyConnection,
    seen: Observations,
    measures: Sequence[str],
    copies: Sequence[Treatment],
    loads: Sequence[float],
    confidence: float,
) -> Iterator[CopySpread]:
    """Yields a spread for each measure and load at which two blocks or more have a positive value of every
    copy.
    """
    order = {
        (block, treatment): position
        for block, treatment, position in store.execute(
            "SELECT block, treatment, row_number() OVER (PARTITION BY block ORDER BY position)"
            " FROM runs WHERE status = 'complete'"
        ).fetchall()
    }
    for measure in measures:
        for load in loads:
            found = [seen.blocks(measure, Place(copy.name, load)) for copy in copies]
            if one := _spread(measure, load, found, seen, [copy.name for copy in copies], order, confidence):
                yield one


def _spread(
    measure: str,
    load: float,
    found: Sequence[Mapping[int, float]],
    seen: Observations,
    names: Sequence[str],
    order: Mapping[tuple[int, str], int],
    confidence: float,
) -> CopySpread | None:
    blocks = sorted(set.intersection(*map(set, found)))
    values = np.array([[of[block] for block in blocks] for of in found])
    if len(blocks) < 2 or (values <= 0).any():
        return None
    logs = np.log(values)
    # Every block has each place once: the same figures, sorted by place instead of by copy.
    places = np.array([[order[block, name] for block in blocks] for name in names])
    by_place = np.take_along_axis(logs, places.argsort(axis=0), axis=0)
    place, moved, loads = row_effect(by_place), drift(logs), seen.data.ranks(names, blocks)
    if loads is not None:  # what loads do is no noise of single runs
        logs = np.take_along_axis(logs, loads.argsort(axis=0), axis=0)
    noise, of_loads = spread(logs, confidence), row_effect(logs)
    return CopySpread(
        measure=measure,
        load=load,
        copies=len(names),
        blocks=len(blocks),
        log_sd=noise.log_sd,
        low=noise.low,
        high=noise.high,
        degrees=noise.degrees,
        by_position=tuple(float(np.exp(one)) for one in place.logs),
        position_p=place.p_value,
        drift=None if moved is None else float(np.exp(moved[0])),
        drift_p=None if moved is None else moved[1],
        loads=None if loads is None else len(names),
        load_sd=None if loads is None else spread_between(of_loads, noise, len(blocks)),
        load_p=None if loads is None else of_loads.p_value,
    )
