"""Reads all measures of a study from its store, and what doubts and stalls leave of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import duckdb

from assay.base.tally import share_of
from assay.design.study import MEASURES
from assay.results.verdict.courses import courses
from assay.results.verdict.data_loads import read_data_loads
from assay.results.verdict.observations import (
    CRASHES,
    Blocks,
    Cell,
    FactsOf,
    Kinds,
    Observations,
    is_closed_tail,
)
from assay.results.verdict.results import DoubtNote

NOT_REACHED = ("not-reached", "pool-filling")  # doubts about windows that were still approaching their level

OF_STALLS = ("stalled", "cycling")
"""Doubts about windows with stalls: named beside every comparison of them, also as notes."""


_ATTEMPTS = (
    "SELECT treatment, block, status FROM runs UNION ALL SELECT treatment, block, status FROM attempts"
)


def read_observations(
    store: duckdb.DuckDBPyConnection,
    doubts: Sequence[DoubtNote] = (),
    stalled: Mapping[Cell, float] | None = None,
) -> Observations:
    """Returns every measure of every complete run, without rungs that an *invalid* one of `doubts` is
    about. `stalled` has the share of time in which a closed loop stood still.
    """
    stalled = stalled or {}
    invalid = _by_place(doubts, lambda note: note.severity == "invalid")
    warning = _by_place(doubts, lambda note: note.severity == "warning" or note.kind in OF_STALLS)
    failed = dict(
        store.execute(
            f"SELECT treatment, count(*) FROM ({_ATTEMPTS}) WHERE status = 'failed' GROUP BY ALL"
        ).fetchall()
    )
    values: dict[tuple[str, str, float], dict[int, float]] = defaultdict(dict)
    left_out: dict[Cell, dict[int, Kinds]] = defaultdict(dict)
    warned: dict[Cell, dict[int, Kinds]] = defaultdict(dict)
    approaching: dict[Cell, dict[int, Kinds]] = defaultdict(dict)
    at_least: dict[tuple[str, str, float], set[int]] = defaultdict(set)
    few: dict[tuple[str, str, float], set[int]] = defaultdict(set)
    found: dict[str, str] = {}
    query = (
        "SELECT measure, run_id, treatment, load, block, value, unit, at_least, few FROM measures"
        " ORDER BY measure, block"
    )
    for measure, run, treatment, load, block, value, unit, is_bound, is_few in store.execute(
        query
    ).fetchall():
        found.setdefault(measure, unit)
        if kinds := _about(invalid, run, load):
            left_out[treatment, load][block] = kinds
            continue
        if kinds := _about(warning, run, load):
            warned[treatment, load][block] = kinds
            if still := tuple(kind for kind in kinds if kind in NOT_REACHED):
                approaching[treatment, load][block] = still
        values[measure, treatment, load][block] = value
        if is_bound or hides_tail(measure, stalled.get((treatment, load), 0.0)):
            at_least[measure, treatment, load].add(block)
        if is_few:
            few[measure, treatment, load].add(block)
    for (treatment, load), blocks in _crashes(store).items():
        values[CRASHES, treatment, load] = blocks
    known = [measure for measure in MEASURES if measure in found]
    units = {measure: found[measure] for measure in (*known, *(m for m in found if m not in MEASURES))}
    return Observations(
        values,
        units,
        left_out,
        warned,
        invalid.get((None, None), ()),
        approaching,
        failed,
        courses(store),
        facts(store),
        {key: frozenset(blocks) for key, blocks in at_least.items()},
        {key: frozenset(blocks) for key, blocks in few.items()},
        frozenset(cell for cell, share in stalled.items() if share > 0),
        data=read_data_loads(store),
    )


def _crashes(store: duckdb.DuckDBPyConnection) -> dict[Cell, dict[int, float]]:
    """Returns failed runs of each treatment by block, at every load, since a run has one server start for all
    of them.

    Runs that were repeated since are included: that the next one lived does not undo the failure.
    """
    found: dict[Cell, dict[int, float]] = defaultdict(dict)
    for treatment, load, block, failed in store.execute(
        "SELECT r.treatment, l.load, r.block, count(*) FILTER (r.status = 'failed')"
        f" FROM ({_ATTEMPTS}) r,"
        " (SELECT DISTINCT load FROM rungs) l GROUP BY ALL ORDER BY ALL"
    ).fetchall():
        found[treatment, load][block] = float(failed)
    return found


def facts(store: duckdb.DuckDBPyConnection) -> FactsOf:
    """Returns a function that reads a fact of every complete run, by its name or the last part of it; after
    the load where recorded then.

    `on`, `true` and `yes` are 1, their opposites 0; other text has no figure.
    """

    def of(name: str) -> Mapping[str, Blocks]:
        found: dict[str, dict[int, float]] = defaultdict(dict)
        for treatment, block, value in store.execute(
            "SELECT r.treatment, r.block, f.value FROM facts f JOIN runs r ON f.run_id = r.run_id"
            " WHERE r.status = 'complete' AND (f.key = $name OR ends_with(f.key, '.' || $name))"
            " ORDER BY f.moment DESC",
            {"name": name},
        ).fetchall():
            if (figure := _figure(value)) is not None:
                found[treatment][block] = figure
        return found

    return of


def _figure(text: str) -> float | None:
    word = text.strip().strip('"').lower()
    if word in ("on", "true", "yes", "off", "false", "no"):
        return float(word in ("on", "true", "yes"))
    try:
        return float(word)
    except ValueError:
        return None


def hides_tail(measure: str, stalled: float) -> bool:
    """Returns whether a closed loop that stood still for this share of time has hidden a part of a tail that
    matters: a tenth of it.
    """
    share = share_of(measure)
    return share is not None and is_closed_tail(measure) and stalled > (1 - share) / 10


def _by_place(
    doubts: Sequence[DoubtNote], wanted: Callable[[DoubtNote], bool]
) -> dict[tuple[str | None, float | None], Kinds]:
    """Returns the kinds of doubts by run and load; None stands for all runs or all loads."""
    found: dict[tuple[str | None, float | None], list[str]] = defaultdict(list)
    for note in doubts:
        if wanted(note):
            found[note.run_id, note.load].append(note.kind)
    return {place: tuple(dict.fromkeys(kinds)) for place, kinds in found.items()}


def _about(found: Mapping[tuple[str | None, float | None], Kinds], run: str, load: float) -> Kinds:
    """Returns doubts about this rung of this run, about the whole run, and about this load in all runs."""
    places = ((run, load), (run, None), (None, load))
    return tuple(dict.fromkeys(kind for place in places for kind in found.get(place, ())))
