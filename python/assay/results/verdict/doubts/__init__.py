"""Finds doubts about the results, one kind a check; a new check is a function here and a line below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import duckdb

from assay.design.study import Study
from assay.results.verdict.agreement import HostAgreement
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.compared import Comparison
from assay.results.verdict.doubts import (
    between,
    figures,
    foreign,
    hosts,
    imported,
    lost,
    order,
    outcomes,
    plans,
    recorded,
    state,
    study_wide,
    torn,
    unnamed_time,
    watched,
    window,
)
from assay.results.verdict.doubts.rung_seen import RungSeen
from assay.results.verdict.observations import Observations
from assay.results.verdict.results import DoubtNote
from assay.results.verdict.treatments import Treatment

Check = Callable[[RungSeen], Iterator[DoubtNote]]

#: Each looks at one rung of one complete run.
RUNG_CHECKS: tuple[Check, ...] = (
    window.incomplete,
    window.stalled,
    window.unsteady,
    state.filling,
    state.gathering,
    window.missing_samples,
    figures.by_figures,
    outcomes.errors,
    outcomes.unkept,
    outcomes.dropped,
)

#: What a steady load must be; in the window of an experiment something is meant to happen.
OF_STEADY_LOADS: frozenset[Check] = frozenset(
    {window.stalled, window.unsteady, state.filling, state.gathering}
)

#: What holds of a generator beside a server. On storage the engine is the load, and counts what is in flight.
ON_SERVERS: frozenset[Check] = frozenset({figures.by_figures, outcomes.unkept})


def doubts_of_study(
    study: Study, store: duckdb.DuckDBPyConnection, rungs: Sequence[RungSeen], complete: int, fewest: int
) -> Iterator[DoubtNote]:
    """Yields doubts about the study as a whole that need no verdict."""
    if study.is_imported:
        yield from imported.imported(store)
        return
    yield from study_wide.failed_runs(store)
    yield from study_wide.failed_attempts(store)
    yield from study_wide.unknown_settings(study)
    yield from study_wide.missing_blocks(study, complete, fewest)
    yield from study_wide.debug_engine(rungs)
    yield from study_wide.shared_history(study)
    yield from study_wide.set_while_running(study)
    yield from study_wide.not_fresh_data(store)
    yield from study_wide.unfair(study, store)
    yield from study_wide.unequal(study, store)
    yield from study_wide.loaded_differently(study, store)
    yield from foreign.foreign_unseen(store)
    yield from study_wide.one_binary(study, store)
    yield from plans.unstable_plans(store)
    yield from study_wide.few_operations(study, rungs)
    yield from study_wide.short_windows(rungs)
    yield from watched.watched(store, study.verdict.confidence)
    yield from unnamed_time.unnamed_time(store)


def doubts_of_rungs(
    study: Study, store: duckdb.DuckDBPyConnection, rungs: Sequence[RungSeen]
) -> Iterator[DoubtNote]:
    """Yields doubts about one run or one rung: those that engine and lab recorded first, then those found
    here.

    They are found before anything is judged: a rung with an *invalid* doubt is left out of all verdicts.
    """
    if study.is_imported:
        for rung in rungs:
            yield from imported.of_rung(rung)
        return
    known = list(recorded.doubts(study, store))
    yield from known
    yield from lost.lost_data(store)
    yield from foreign.foreign_load(store)
    yield from torn.torn_blocks(store)
    explained = recorded.explained(study)
    said = {(note.kind, note.run_id, note.load) for note in known}
    for rung in rungs:
        for check in RUNG_CHECKS:
            if check in ON_SERVERS and rung.subject != "server":
                continue
            if check in OF_STEADY_LOADS and (study.experiment or study.fails_device):
                continue
            # What the engine has found itself is not said twice.
            yield from (
                note
                for note in check(rung)
                if note.kind not in explained and (note.kind, note.run_id, note.load) not in said
            )


def doubts_of_order(
    study: Study,
    store: duckdb.DuckDBPyConnection,
    seen: Observations,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
) -> Iterator[DoubtNote]:
    """Yields doubts that the order of runs and rungs changed the values that are judged."""
    if study.is_imported:
        return  # no file says in which order its runs were made
    yield from order.drifts(study, store, seen, treatments, loads)


def doubts_of_verdicts(
    comparisons: Sequence[Comparison],
    shown: Sequence[Comparison],
    hypotheses: Sequence[HypothesisVerdict],
    by_host: Sequence[HostAgreement],
    confidence: float,
) -> Iterator[DoubtNote]:
    """Yields doubts about the comparisons that count together, and about all that are shown or that
    hypotheses make.
    """
    yield from hosts.hosts_disagree(by_host)
    yield from between.between(shown, hypotheses)
    yield from study_wide.chance(comparisons, confidence)
