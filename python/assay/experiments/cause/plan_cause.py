"""Finds what gives the second treatment of a pair the plan of the first: settings, refreshed statistics, or a
hint; and how much of their difference goes away with it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.base.errors import AssayError, InputError
from assay.design.folder import ResultsFolder
from assay.design.study import Factor, Scalar, Study, derive, level_text
from assay.experiments.cause.follow_up import follow_up_of, values_by_levels
from assay.experiments.cause.pair import Pair
from assay.experiments.cause.plan_changes import (
    PlanChange,
    contradicts,
    index_changes,
    setting_changes,
    variables_of,
)
from assay.experiments.cause.plan_search import smallest_sets
from assay.experiments.cause.plan_server import PlanServer, plan_server
from assay.experiments.lab import Judged, OpenedStudy, carry_out, judged, open_derived, results_folder
from assay.measurement.run import RunProgress
from assay.results.stats import ConfidenceInterval
from assay.results.verdict import (
    Cells,
    InterventionOutcome,
    Step,
    judge_interventions,
    same_way,
    seen_plans,
)

PLAN, FIRST, SECOND = "plan", "first", "second"
_MOST_MEASURED = 3
_LONGEST_SEARCH_S = 120.0
"""Time for the sets of one statement."""


@dataclass(frozen=True)
class ChangedPlan:
    """A statement whose plan is another with the second treatment than with the first, in all blocks."""

    statement: str
    example: str
    first: tuple[Step, ...]
    second: tuple[Step, ...]


@dataclass(frozen=True)
class RestoredPlan:
    """What gives the second treatment's server the first one's plan of a statement.

    `sets`: the smallest sets of settings, best first; `asked` sets were tried, and `is_whole` says whether
    all were that the search allows for. `by_statistics`: refreshed statistics alone do it; `by_indexes`:
    hints that do. `already`: the server has that plan on fresh data, without any change.
    `refused`: why the server explains the statement not at all, so that nothing was tried; None: it does.
    `faster`: by each set, in words, how many times as fast the statement is with it.
    """

    plan: ChangedPlan
    sets: tuple[tuple[PlanChange, ...], ...] = ()
    asked: int = 0
    is_whole: bool = True
    by_statistics: bool = False
    by_indexes: tuple[PlanChange, ...] = ()
    already: bool = False
    refused: str | None = None
    faster: dict[str, ConfidenceInterval] = field(default_factory=dict)


def changed_plans(found: Judged, pair: Pair, wanted: str | None = None) -> tuple[ChangedPlan, ...]:
    """Returns the statements whose plan differs within the pair. `wanted`: a part of the statement's text.
    Raises InputError where there is none, with what is known of the plans.
    """
    seen = seen_plans(found.store, [(pair.first.name, pair.second.name)])
    changes = [one for one in seen.changes if not same_way(one.before, one.after)]
    chosen = [one for one in changes if wanted is None or wanted.lower() in one.statement.lower()]
    if not chosen:
        known = [one.statement for one in changes]
        said = f" for {wanted!r}" if wanted else ""
        flips = sorted({one.statement for one in seen.flips})
        raise InputError(
            f"{found.folder.path}: no plan differs between {pair.first.name} and {pair.second.name} in all"
            f" blocks{said}; {len(seen.equal)} are the same, {len(flips)} change between blocks,"
            f" {len(seen.partly)} are known with one of them alone",
            hint="; ".join(known or seen.unknown) or None,
        )
    query = "SELECT any_value(example) FROM plans WHERE statement = ? AND treatment = ?"
    return tuple(
        ChangedPlan(
            one.statement,
            str(found.store.execute(query, [one.statement, pair.second.name]).fetchall()[0][0]),
            one.before,
            one.after,
        )
        for one in chosen
    )


def restore_plans(
    pair: Pair, changed: Sequence[ChangedPlan], progress: RunProgress
) -> tuple[RestoredPlan, ...]:
    """Asks a private server of the second treatment for the plan of each statement, with all small sets of
    changes. Raises what the start of the server raises.
    """
    changes = setting_changes(pair.first.variables, pair.second.variables)
    with plan_server(pair.study, pair.second.planned, progress) as server:
        found = []
        for one in changed:
            progress.step(f"plans of {one.statement[:60]}")
            found.append(_by_settings(server, one, changes))
        # Refreshed statistics cannot be taken back: they come last.
        return tuple(_by_statistics(server, one) for one in found)


def _by_settings(server: PlanServer, one: ChangedPlan, changes: Sequence[PlanChange]) -> RestoredPlan:
    if (refused := server.refusal(one.example)) is not None:
        return RestoredPlan(one, refused=refused)
    if _restores(server, one, ()):
        return RestoredPlan(one, already=True)
    until = time.monotonic() + _LONGEST_SEARCH_S
    found = smallest_sets(
        changes,
        lambda some: _restores(server, one, some),
        excludes=contradicts,
        goes_on=lambda: time.monotonic() < until,
    )
    hints = tuple(index_changes(one.first))
    by_indexes = smallest_sets(hints, lambda some: _restores(server, one, some)).sets if hints else ()
    faster = {}
    for some in (*found.sets[:_MOST_MEASURED], *by_indexes[:1]):
        if (times := server.times_faster(one.example, some)) is not None:
            faster[in_words(some)] = times
    return RestoredPlan(
        one,
        found.sets,
        found.asked,
        found.is_whole,
        by_indexes=by_indexes[0] if by_indexes else (),
        faster=faster,
    )


def _by_statistics(server: PlanServer, one: RestoredPlan) -> RestoredPlan:
    if one.already or one.refused is not None:
        return one
    tables = sorted({step.table for step in one.plan.second if step.table and step.table[0] != "<"})
    known = server.tables()
    if not known.issuperset(tables):  # a plan names a table by its alias
        tables = sorted(known)
    server.refresh_statistics(tables)
    if not _restores(server, one.plan, ()):
        return one
    return replace(one, by_statistics=True)


def _restores(server: PlanServer, one: ChangedPlan, changes: Sequence[PlanChange]) -> bool:
    plan = server.plan(one.example, changes)
    return plan is not None and same_way(plan, one.first)


def in_words(changes: Sequence[PlanChange]) -> str:
    """Returns changes as they are written for a server."""
    return ", ".join(map(str, changes))


def settings_to_measure(restored: Sequence[RestoredPlan]) -> tuple[tuple[PlanChange, ...], ...]:
    """Returns the sets to measure: those that restore the most plans, at most three."""
    count: dict[tuple[PlanChange, ...], int] = {}
    for one in restored:
        for some in one.sets:
            count[some] = count.get(some, 0) + 1
    return tuple(sorted(count, key=lambda some: (-count[some], len(some))))[:_MOST_MEASURED]


def study_of_plans(pair: Pair, sets: Sequence[Sequence[PlanChange]], blocks: int) -> Study:
    """Returns the study of both treatments, and of the second with each of the sets."""
    study, both = derive.of_pair(pair.study, pair.first.measured.levels, pair.second.measured.levels)
    first, second = (both.settings(level) for level in both.levels)
    stated: dict[str, Scalar] = pair.second.planned.variables
    rows: dict[str, dict[str, Scalar]] = {FIRST: dict(first), SECOND: dict(second)}
    for number, some in enumerate(sets, start=1):
        given = variables_of(some, stated)
        rows[f"set-{number}"] = {
            **second,
            **{f"server.variables.{name}": value for name, value in given.items()},
        }
    keys = tuple(dict.fromkeys(key for row in rows.values() for key in row))
    fixed = {f"server.variables.{name}": value for name, value in study.server.variables.items()}
    study = derive.without_values(study, [key for key in keys if key in fixed])
    rows = {name: {**{key: fixed[key] for key in keys if key in fixed}, **row} for name, row in rows.items()}
    factor = Factor(
        name=PLAN,
        levels=tuple(rows),
        keys=keys,
        values=tuple(tuple(row.get(key) for key in keys) for row in rows.values()),
    )
    return follow_up_of(study, "plans", [factor], pair.load, blocks)


def opened_study(
    pair: Pair, sets: Sequence[Sequence[PlanChange]], blocks: int, source: ResultsFolder
) -> OpenedStudy:
    """Returns the study of the sets, read back from its text."""
    return open_derived(study_of_plans(pair, sets, blocks), source.study_file)


def measure_sets(
    opened: OpenedStudy, folder: Path, pair: Pair, progress: RunProgress
) -> tuple[InterventionOutcome, ...]:
    """Carries the study of the sets out, or goes on with it, and returns the share of the difference that
    goes away with each. Raises AssayError where runs failed.
    """
    where = ResultsFolder(folder)
    outcome = carry_out(opened, where, progress)
    if outcome.failed:
        run, reason = outcome.failed[0]
        raise AssayError(f"{run} of {folder} failed: {reason}")
    with judged(results_folder(folder)) as found:
        values = {dict(levels)[PLAN]: of for levels, of in values_by_levels(found, pair.measure).items()}
        levels = [level_text(level) for level in found.study.factors[0].levels]
    first, second = values.get(FIRST, {}), values.get(SECOND, {})
    cells = {level: Cells(first, second, first, values.get(level, {})) for level in levels[2:]}
    return judge_interventions(cells, pair.measure, pair.load, pair.study.verdict.confidence)
