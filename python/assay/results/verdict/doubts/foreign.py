"""Doubts that other programs, or the hypervisor, used the machine during the measurement."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

import duckdb

from assay.design.folder.others import OWN, SOURCE, STEAL_LIMIT, UNSEEN, Others, others_between
from assay.results.verdict.results import DoubtNote

Reading = tuple[int, dict[str, float]]  # when (ns since 1970), values by name

_ENOUGH = 0.5
"""Share of the window that the readings inside it must span: two in two seconds do, one tells nothing."""


def foreign_load(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields doubts about processor time of other programs, and of the hypervisor, by rung of complete runs.

    A rung of an experiment without a window is judged over all of its run. Runs without samples of it, and
    those of a server whose process was not seen, are left out.
    """
    readings = _readings(store)
    rungs = store.execute(
        "SELECT run_id, load, start_ns, end_ns FROM rungs JOIN runs USING (run_id)"
        " WHERE runs.status = 'complete' ORDER BY run_id, rung"
    ).fetchall()
    for run, load, start_ns, end_ns in rungs:
        seen = _seen(readings.get(run, []), start_ns, end_ns)
        if seen is not None:
            yield from _doubts(seen, run, load)


def foreign_unseen(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields one doubt when runs cannot show other programs, which a report without doubts would deny."""
    unseen = [
        run for run, readings in _readings(store).items() if not any(OWN in values for _, values in readings)
    ]
    if unseen:
        yield DoubtNote("foreign-unseen", UNSEEN, None, None, "note", {"runs": len(unseen)})


def _doubts(seen: Others, run: str, load: float) -> Iterator[DoubtNote]:
    if seen.disturb:
        facts: dict[str, str | float] = {
            "value": seen.share,
            "processors": seen.processors,
            "programs": seen.named or "–",
        }
        message = f"{seen.sentence}, which the server did not get"
        yield DoubtNote("foreign-load", message, run, load, "warning", facts)
    if seen.steal > STEAL_LIMIT:
        yield DoubtNote("stolen-time", seen.stolen_sentence, run, load, "warning", {"value": seen.steal})


def _seen(readings: Sequence[Reading], start_ns: int | None, end_ns: int | None) -> Others | None:
    """Returns what other programs used between readings inside the window or, where those are too few, around
    it.
    """
    times = [at for at, _ in readings]
    if start_ns is None or end_ns is None:
        first, last = 0, len(times) - 1
    else:
        first, last = bisect_left(times, start_ns), bisect_right(times, end_ns) - 1
        if last <= first or times[last] - times[first] < _ENOUGH * (end_ns - start_ns):
            first, last = max(first - 1, 0), min(last + 1, len(times) - 1)
    if not 0 <= first < last:
        return None
    return others_between(readings[first][1], readings[last][1])


def _readings(store: duckdb.DuckDBPyConnection) -> dict[str, list[Reading]]:
    found: dict[str, dict[int, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    query = "SELECT run_id, wall_ns, name, value FROM samples WHERE source = ?"
    for run, at, name, value in store.execute(query, [SOURCE]).fetchall():
        found[run][at][name] = value
    return {run: sorted(by_time.items()) for run, by_time in found.items()}
