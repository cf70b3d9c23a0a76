"""Records of the Universal Scalability Law, fitted for each treatment whose ladder is long enough."""

from __future__ import annotations

from contextlib import suppress

from assay.reporting.report.material import Material
from assay.results.stats import FEWEST_RUNGS, Usl, fit_usl


def scaling(material: Material) -> dict[str, Usl]:
    """Returns, by treatment, the law of throughput over threads, fitted to the blocks that have every rung.

    Empty for a ladder of rates (the law is about concurrency) and for a short one.
    """
    if material.results.load_kind != "threads" or len(set(material.results.loads)) < FEWEST_RUNGS:
        return {}
    laws, measure = {}, material.throughput
    confidence = material.results.gate.confidence
    for treatment in material.results.treatments:
        estimates = [material.estimate(treatment, load, measure) for load in material.results.loads]
        rungs = [dict(estimate.blocks) for estimate in estimates if estimate is not None]
        if len(rungs) < len(estimates):
            continue
        whole = sorted(set.intersection(*(set(rung) for rung in rungs)))
        rows = [[rung[block] for rung in rungs] for block in whole]
        rows = [row for row in rows if min(row) > 0]
        if rows:
            with suppress(ValueError):  # no law fits: throughput collapses
                laws[treatment] = fit_usl(material.results.loads, rows, confidence)
    return laws
