"""Records of the plans of the load's statements: those that are another with a treatment than with its
baseline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.reporting.report.material import Material

FAR = 10.0
"""Factor between two estimates of rows from which they are another plan: estimates come from samples."""


@dataclass(frozen=True)
class Step:
    """One row of EXPLAIN: a table and the way to its rows, with the server's words."""

    table: str
    access: str
    key: str
    rows: int | None
    extra: str


@dataclass(frozen=True)
class PlanChange:
    """A statement and its plans: with the baseline, and with treatments that all have the same other one."""

    statement: str
    baseline: str
    treatments: tuple[str, ...]
    before: tuple[Step, ...]
    after: tuple[Step, ...]


@dataclass(frozen=True)
class SeenPlans:
    """The statements whose plans are known with some treatment, what differs between them, and why some of
    it is unknown.
    """

    statements: tuple[str, ...]
    changes: tuple[PlanChange, ...]
    unknown: tuple[str, ...]


def seen_plans(material: Material) -> SeenPlans:
    """Returns what is known of the plans of the load's statements."""
    plans: dict[tuple[str, str], list[Step]] = {}
    unknown: list[str] = []
    rows = material.rows(
        'select treatment, statement, "table", access, key, estimate, extra, unknown from plans'
        " order by treatment, place"
    )
    for row in rows:
        if row["unknown"]:
            unknown.append(row["unknown"])
        if row["statement"] is None or (row["access"] is None and row["extra"] is None):
            continue
        found = plans.setdefault((row["treatment"], row["statement"]), [])
        table, access, key = (row[name] or "" for name in ("table", "access", "key"))
        found.append(Step(table, access, key, row["estimate"], row["extra"] or ""))
    known = {key: tuple(steps) for key, steps in plans.items()}
    return SeenPlans(
        tuple(dict.fromkeys(statement for _, statement in known)),
        tuple(_changes(material.results.treatments, known)),
        tuple(dict.fromkeys(unknown)),
    )


def _changes(
    treatments: Sequence[str], known: Mapping[tuple[str, str], tuple[Step, ...]]
) -> list[PlanChange]:
    if not treatments:
        return []
    baseline = treatments[0]
    found: dict[tuple[str, tuple[Step, ...], tuple[Step, ...]], list[str]] = {}
    for (side, statement), before in known.items():
        for other in treatments[1:] if side == baseline else ():
            after = known.get((other, statement), before)
            if _differ(before, after):
                found.setdefault((statement, before, after), []).append(other)
    return [
        PlanChange(statement, baseline, tuple(others), before, after)
        for (statement, before, after), others in found.items()
    ]


def _differ(before: Sequence[Step], after: Sequence[Step]) -> bool:
    if [_way(step) for step in before] != [_way(step) for step in after]:
        return True
    return any(_are_far(one.rows, other.rows) for one, other in zip(before, after, strict=True))


def _way(step: Step) -> tuple[str, str, str, frozenset[str]]:
    return step.table, step.access, step.key, frozenset(part.strip() for part in step.extra.split(";"))


def _are_far(one: int | None, other: int | None) -> bool:
    if one is None or other is None:
        return False
    return max(one, other) >= FAR * max(min(one, other), 1)
