"""Records of the runs in the order of time: each against the mean of its treatment, and the canary beside."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean, median

from assay.reporting.report.material import Material


@dataclass(frozen=True)
class OrderPoint:
    """One run of one lane; `number` counts the runs in time, from 1.

    `ratio` in the lane `throughput` is the run's throughput to the mean of its treatment (geometric mean over
    the load points); in the lane `canary` it is the processor time of a fixed task to the median run.
    """

    lane: str
    number: int
    run_id: str
    treatment: str
    block: int
    ratio: float


def order(material: Material) -> list[OrderPoint]:
    """Returns the complete runs in the order in which they began, with the canary where it was sampled.

    Empty where no treatment has two blocks, or where it is not known when the runs began.
    """
    logs: dict[tuple[str, int], list[float]] = defaultdict(list)
    for one in material.results.estimates:
        if one.measure != material.throughput or len(one.blocks) < 2 or min(v for _, v in one.blocks) <= 0:
            continue
        level = fmean(math.log(value) for _, value in one.blocks)
        for block, value in one.blocks:
            logs[one.treatment, block].append(math.log(value) - level)
    runs = material.rows(
        "select run_id, treatment, block from runs where status = 'complete' and started_ns is not null"
        " order by started_ns, position"
    )
    runs = [run for run in runs if (run["treatment"], run["block"]) in logs]
    costs = _canary(material)
    usual = median(costs.values()) if costs else None
    points = []
    for number, run in enumerate(runs, start=1):
        ratios = {"throughput": math.exp(fmean(logs[run["treatment"], run["block"]]))}
        if usual and run["run_id"] in costs:
            ratios["canary"] = costs[run["run_id"]] / usual
        points += [OrderPoint(lane, number, ratio=ratio, **run) for lane, ratio in ratios.items()]
    return points


def _canary(material: Material) -> dict[str, float]:
    """Returns the median cost of the canary's work in each run."""
    rows = material.rows(
        "select run_id, median(value) as cost from samples where source = 'canary' and name = 'cpu_us'"
        " group by run_id"
    )
    return {row["run_id"]: row["cost"] for row in rows}
