"""Computes everything that the report says, from a study and its store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import duckdb

from assay.design.study import Hypothesis, Study
from assay.results.stats import Gate
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.claims import judge_hypotheses, judged_again
from assay.results.verdict.comparisons import comparisons, comparisons_of_settings
from assay.results.verdict.consequence.counting import consequences
from assay.results.verdict.copies import copy_spreads
from assay.results.verdict.doubts import doubts_of_order, doubts_of_rungs, doubts_of_study, doubts_of_verdicts
from assay.results.verdict.doubts.ledgers import unbalanced, unbalanced_differences
from assay.results.verdict.doubts.rung_seen import read_rungs
from assay.results.verdict.estimates import estimates
from assay.results.verdict.hosts import host_agreements
from assay.results.verdict.observations import Observations
from assay.results.verdict.reasons import differing
from assay.results.verdict.results import DoubtNote, Results
from assay.results.verdict.screening import Screened, screening
from assay.results.verdict.standstills import standstills
from assay.results.verdict.stored_values import read_observations
from assay.results.verdict.treatments import Treatment, by_workload, count_treatments, treatments_of
from assay.results.verdict.why.ledgers import ledger_shifts
from assay.results.verdict.why.lines import read_ledgers
from assay.results.verdict.why.unwatched import unwatched, watched_runs


def judge(study: Study, store: duckdb.DuckDBPyConnection, gate: Gate | None = None) -> Results:
    """Returns estimates, comparisons, verdicts and doubts. `store` comes from `store.open_store`.

    `gate` is the requirement of a verdict; without one, that of figures looked at once.
    """
    gate = gate or Gate.of(study.verdict.confidence)
    treatments, loads = treatments_of(study, store), study.load.rungs
    rungs, ledgers = read_rungs(store), read_ledgers(store)
    of_rungs = (*doubts_of_rungs(study, store, rungs), *unbalanced(ledgers))
    complete = _complete_blocks(study, store, of_rungs)
    of_study = tuple(doubts_of_study(study, store, rungs, complete, gate.fewest))
    seen = read_observations(store, (*of_study, *of_rungs), standstills(study, rungs))
    of_order = tuple(doubts_of_order(study, store, seen, treatments, loads))
    screened = Screened(study) if study.design.screens else None
    levels: tuple[Treatment, ...] = ()
    if screened is not None:
        seen, levels = screened.within(seen), screened.levels
    pairs = None if screened is None else screened.pairs
    compared = comparisons(study, seen, levels or treatments, loads, gate, pairs) if treatments else ()
    of_settings = (
        ()
        if screened is not None
        else comparisons_of_settings(study, seen, treatments, loads, gate, compared)
    )
    is_mixed = screened is not None and screened.is_mixed
    hypotheses = tuple(judge_hypotheses(study, seen, treatments, loads, gate, levels, is_mixed=is_mixed))
    worded = compared if screened is None else screened.candidates(compared)
    by_host = tuple(host_agreements(store, seen, compared, gate.confidence))
    of_verdicts = tuple(
        doubts_of_verdicts(worded, (*worded, *of_settings), hypotheses, by_host, gate.confidence)
    )
    explained = () if screened is not None else ledger_shifts(study, seen, ledgers, treatments, loads, gate)
    doubts = (*of_study, *of_order, *of_verdicts, *unbalanced_differences(explained), *of_rungs)

    def again(hypothesis: Hypothesis, others: Observations, needed: Gate) -> HypothesisVerdict:
        return judged_again(study, hypothesis, others, treatments, loads, needed, levels, is_mixed=is_mixed)

    failed = store.execute(
        "SELECT run_id, coalesce(failure_message, 'no reason recorded') FROM runs"
        " WHERE status = 'failed' ORDER BY block, position"
    ).fetchall()
    return Results(
        study=study.name,
        treatments=tuple(treatment.name for treatment in treatments),
        loads=loads,
        load_kind=study.load.kind,
        estimates=tuple(estimates(seen, treatments, loads, gate.confidence)),
        comparisons=worded,
        hypotheses=hypotheses,
        doubts=doubts,
        consequences=consequences(
            study, doubts, hypotheses, seen, _runs(store, by_treatment=screened is None), gate, again
        ),
        blocks_planned=study.design.blocks,
        blocks_complete=complete,
        gate=gate,
        runs_failed=tuple((run, reason) for run, reason in failed),
        headlines=study.headlines,
        scale=study.scale.name if study.scale else None,
        scale_about=study.scale.about if study.scale else {},
        workloads=by_workload(study, treatments),
        copies=tuple(copy_spreads(store, seen, study.headlines, treatments, loads, gate.confidence))
        if study.compares_copies and len(treatments) > 1
        else (),
        by_host=by_host,
        screening=None if screened is None else screening(screened, seen, compared, loads, gate),
        of_settings=of_settings,
        differing=()
        if screened is not None or study.compares_copies
        else differing(study, seen, treatments, loads, gate),
        ledgers=explained,
        unwatched=unwatched(store),
        watched_runs=watched_runs(store),
    )


def _runs(store: duckdb.DuckDBPyConnection, *, by_treatment: bool) -> dict[str, tuple[str | None, int]]:
    """Returns the treatment and the block of every run."""
    return {
        run: (treatment if by_treatment else None, block)
        for run, treatment, block in store.execute("SELECT run_id, treatment, block FROM runs").fetchall()
    }


def _complete_blocks(study: Study, store: duckdb.DuckDBPyConnection, doubts: Sequence[DoubtNote]) -> int:
    """Returns the number of blocks in which every planned treatment has a complete run without an invalid
    doubt.
    """
    invalid = {note.run_id for note in doubts if note.severity == "invalid"}
    done: dict[int, set[str]] = defaultdict(set)
    for run, block, treatment in store.execute(
        "SELECT run_id, block, treatment FROM runs WHERE status = 'complete'"
    ).fetchall():
        if run not in invalid:
            done[block].add(treatment)
    planned = count_treatments(study)
    return sum(len(found) >= planned for found in done.values())
