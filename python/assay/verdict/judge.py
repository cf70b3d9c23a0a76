"""A study and its store -> everything the report says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import duckdb

from assay.study import Study
from assay.verdict.comparisons import comparisons
from assay.verdict.doubts import find_doubts
from assay.verdict.estimates import estimates
from assay.verdict.hypotheses import judge_hypotheses
from assay.verdict.observations import read_observations
from assay.verdict.results import Results
from assay.verdict.treatments import Treatment, by_workload, treatments_of


def judge(study: Study, store: duckdb.DuckDBPyConnection) -> Results:
    """Estimates, comparisons, verdicts and doubts. `store` is what `assay.store.open_store` gives."""
    seen, treatments, loads = read_observations(store), treatments_of(study, store), study.load.rungs
    compared = tuple(comparisons(study, seen, treatments, loads)) if treatments else ()
    complete = _complete_blocks(store, treatments)
    failed = store.execute(
        "SELECT run_id, coalesce(failure_message, 'no reason recorded') FROM runs"
        " WHERE status = 'failed' ORDER BY block, position"
    ).fetchall()
    return Results(
        study=study.name,
        treatments=tuple(treatment.name for treatment in treatments),
        loads=loads,
        load_kind=study.load.kind,
        estimates=tuple(estimates(seen, treatments, loads, study.verdict.confidence)),
        comparisons=compared,
        hypotheses=tuple(judge_hypotheses(study, seen, treatments, loads)),
        doubts=tuple(find_doubts(study, store, compared, complete)),
        blocks_planned=study.design.blocks,
        blocks_complete=complete,
        runs_failed=tuple((run, reason) for run, reason in failed),
        headlines=study.headlines,
        workloads=by_workload(study, treatments),
    )


def _complete_blocks(store: duckdb.DuckDBPyConnection, treatments: Sequence[Treatment]) -> int:
    """Blocks in which every treatment has a complete run."""
    done: dict[int, set[str]] = defaultdict(set)
    for block, treatment in store.execute(
        "SELECT block, treatment FROM runs WHERE status = 'complete'"
    ).fetchall():
        done[block].add(treatment)
    everyone = {treatment.name for treatment in treatments}
    return sum(found == everyone for found in done.values())
