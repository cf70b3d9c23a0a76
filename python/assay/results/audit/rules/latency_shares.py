"""The rule that a mean latency lies between the bounds that the printed shares of latency classes imply."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from assay.base.decoding import whole_number
from assay.base.numbers import number, plain
from assay.results.audit.metrics import role_of, seconds
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_CLASS = re.compile(r"(<=|<|>=|>)\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s)")


def _check(material: Material) -> Iterator[Finding]:
    jobs: dict[tuple[str, str, str], list[Cell]] = defaultdict(list)
    for cell in material.cells:
        if cell.level("job"):
            jobs[cell.study, cell.table, cell.level("job")].append(cell)
    judged = [found for cells in jobs.values() for found in _means(cells)]
    impossible = [one for one in judged if one[0].figure.low > one[1] * 1.25]
    if len(judged) < 3 or 4 * len(impossible) > len(judged):
        return
    for mean, most, fits in impossible:
        crowd = _in_flight(jobs[mean.study, mean.table, mean.level("job")], mean)
        sign = f"the printed classes of latency leave a mean of {number(most)} {mean.unit} at most"
        yield at(
            mean,
            RULE.name,
            "error",
            "high",
            expected=fits or f"at most {number(most)}",
            sign=sign,
            second_sign=crowd,
        )


def _means(cells: list[Cell]) -> Iterator[tuple[Cell, float, str]]:
    """Yields mean latencies of a job with the most that its classes allow, in the unit of the mean."""
    shares: list[tuple[float, float]] = []  # upper bound in seconds (inf: the worst latency), share
    for cell in cells:
        found = _CLASS.search(cell.level("bucket"))
        if cell.unit == "%" and found and "latency" in cell.metric:
            bound = float("inf") if found[1].startswith(">") else seconds(float(found[2]), found[3])
            shares.append((bound, cell.value / 100))
    if len(shares) < 3:
        return
    for mean in cells:
        role = role_of(mean.metric, mean.unit)
        if (
            role is None
            or role.kind != "latency"
            or role.stat != "mean"
            or "submit" in mean.metric
            or mean.unit == "%"
        ):
            continue
        worst = _beside(cells, mean, "max")
        if worst is None:
            continue
        longest = seconds(worst.value, worst.unit)
        each = seconds(1.0, mean.unit)
        yield (
            mean,
            sum(share * min(bound, longest) for bound, share in shares) / each,
            _by_little(cells, mean),
        )


def _beside(cells: list[Cell], mean: Cell, stat: str) -> Cell | None:
    name = re.sub(r"avg|mean|average", stat, mean.metric)
    direction = mean.level("direction")
    return next((one for one in cells if one.metric == name and one.level("direction") == direction), None)


def _limit(cells: list[Cell]) -> float | None:
    """Returns jobs × depth, where the print has both; the depth is the class with the most operations."""
    jobs = next((one.value for one in cells if one.metric in ("status_jobs", "numjobs", "jobs")), None)
    depths = [one for one in cells if one.metric == "io_depth_share" and whole_number(one.level("bucket"))]
    depth = max(depths, key=lambda one: one.value, default=None)
    return jobs * float(depth.level("bucket")) if jobs and depth else None


def _rate(cells: list[Cell], mean: Cell) -> float | None:
    direction = mean.level("direction")
    return next(
        (one.value for one in cells if one.metric == "iops" and one.level("direction") == direction), None
    )


def _in_flight(cells: list[Cell], mean: Cell) -> str:
    limit, rate = _limit(cells), _rate(cells, mean)
    in_flight = rate * seconds(mean.value, mean.unit) if rate else 0.0
    if limit is None or in_flight <= 1.25 * limit:
        return ""
    return f"rate x latency is {plain(in_flight, 5)} in flight, jobs x depth {limit:g}"


def _by_little(cells: list[Cell], mean: Cell) -> str:
    limit, rate = _limit(cells), _rate(cells, mean)
    return f"about {number(limit / rate / seconds(1.0, mean.unit))}" if limit and rate else ""


RULE = Rule(
    "latency-classes",
    "a mean latency fits the shares of its classes",
    _check,
    kind="physics",
    must="the mean is within the limits that the printed shares of latency classes allow",
)
