"""The rule that figures fit the number of parallel jobs and their depth, over all directions together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from assay.base.numbers import number
from assay.results.audit.figure import parse_figure
from assay.results.audit.metrics import BYTES_PER_S, seconds
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule

_OVER = 0.02
_APART = 0.25
"""Share by which jobs times the mean bandwidth of a job may miss the whole: jobs end at different times."""


def _check(material: Material) -> Iterator[Finding]:
    options = _options(material)
    jobs: dict[tuple[str, str, str], dict[str, dict[str, Cell]]] = defaultdict(lambda: defaultdict(dict))
    for cell in material.cells:
        if cell.level("job"):
            found = jobs[cell.study, cell.table, cell.level("job")]
            found[cell.level("direction")].setdefault(cell.metric, cell)
    for (study, _, job), ways in jobs.items():
        stated = options.get((study, job), {})
        count = next((way["status_jobs"].value for way in ways.values() if "status_jobs" in way), None)
        count = count or stated.get("numjobs")
        if count:
            yield from _in_flight(ways, count, stated.get("iodepth"))
            yield from _bandwidths(ways, count)


def _options(material: Material) -> dict[tuple[str, str], dict[str, float]]:
    found: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for sheet in material.with_columns("job", "option", "value"):
        for _, row in sheet.rows:
            figure = parse_figure(row["value"])
            if figure is not None:
                found[row.get("study", ""), row["job"]][row["option"]] = figure.value
    return found


def _in_flight(ways: dict[str, dict[str, Cell]], count: float, depth: float | None) -> Iterator[Finding]:
    """Yields a finding where reads and writes together keep more in flight than jobs x depth."""
    parts = [
        (way["iops"], way["completion_latency_avg"])
        for way in ways.values()
        if "iops" in way and "completion_latency_avg" in way
    ]
    has_classes = any("latency_share" in way for way in ways.values())
    if not depth or not parts or (has_classes and len(parts) == 1):  # the rule of the classes says it
        return
    low = sum(rate.figure.low * seconds(mean.figure.low, mean.unit) for rate, mean in parts)
    if low <= count * depth * (1 + _OVER):
        return
    _, worst = max(parts, key=lambda one: one[0].value * seconds(one[1].value, one[1].unit))
    yield at(
        worst,
        RULE.name,
        "error",
        "high",
        expected=f"at most {number(worst.value * count * depth / low)}",
        sign=f"rate x latency is {number(low)} in flight over all directions, {count:g} jobs x {depth:g}"
        f" allow {number(count * depth)}",
        second_sign="no more can be in flight than the jobs queue",
    )


def _bandwidths(ways: dict[str, dict[str, Cell]], count: float) -> Iterator[Finding]:
    """Yields a finding where the mean bandwidth of a job, times the jobs, is not the bandwidth of all."""
    for way in ways.values():
        each, whole = way.get("per_job_bandwidth_avg"), way.get("bandwidth")
        if each is None or whole is None or not whole.value:
            continue
        total = each.value * BYTES_PER_S.get(each.unit, 1.0) * count
        printed = whole.value * BYTES_PER_S.get(whole.unit, 1.0)
        share = way.get("per_job_bandwidth_share")
        if abs(total / printed - 1) > _APART:
            yield at(
                each,
                RULE.name,
                "warning",
                "high",
                expected=f"about {number(printed / count / BYTES_PER_S.get(each.unit, 1.0))}",
                sign=f"{count:g} jobs x {each.figure.text} {each.unit} are {100 * total / printed:.0f} % of"
                f" {whole.figure.text} {whole.unit}",
                second_sign=f"{count:g} x the share {share.figure.text} % is {number(count * share.value)} %"
                if share is not None
                else "the parts of a whole add up to it",
            )


RULE = Rule(
    "jobs",
    "the figures of a job against its number of jobs and its depth",
    _check,
    kind="physics",
    must="reads and writes of a job together keep at most jobs x depth in flight; the mean bandwidth "
    "of a job x jobs is that of all",
)
