"""Says in a few words what came of results, by the summary that was kept when they were judged."""

from __future__ import annotations

from datetime import UTC, datetime

from assay.base.numbers import number
from assay.design.folder import ResultsFolder
from assay.experiments.lab.summary import ResultsSummary, summary_kept


def last_result(folder: ResultsFolder) -> str | None:
    """Returns the day of the last run and the treatment with the most throughput, beside the baseline at the
    same load; None where results were not judged since a file has changed.
    """
    kept = summary_kept(folder)
    if kept is None or not kept.ended_ns:
        return None
    day = f"{datetime.fromtimestamp(kept.ended_ns / 1e9, UTC):%Y-%m-%d}"
    said = _best(kept)
    return day if said is None else f"{day}: {said}"


def _best(kept: ResultsSummary) -> str | None:
    if kept.headline is None:
        return None
    measure = kept.headline.measure
    some = [one for one in kept.estimates if one.measure == measure]
    best = max(some, key=lambda one: one.value)
    baseline = kept.treatments[0]
    said = f"{best.treatment} {number(best.value)} {measure}"
    beside = next((one for one in some if (one.treatment, one.load) == (baseline, best.load)), None)
    if beside is None or best.treatment == baseline or beside.value <= 0:
        return said
    return f"{said}, {baseline} {number(beside.value)}"
