"""Records of the plans of the load's statements: those that are another with a treatment than with its
baseline.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    """The plans that differ, the statements whose plans are equal with all treatments of their load, those
    whose plan is known with some of them alone, and why it is unknown where that was said.
    """

    changes: tuple[PlanChange, ...]
    equal: tuple[str, ...]
    partly: tuple[str, ...]
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
    results = material.results
    groups = [tuple(part.names) for part in results.workloads] or [results.treatments]
    changes = tuple(change for group in groups for change in _changes(group, known))
    partly = dict.fromkeys(one for group in groups for one in _not_with_all(group, known))
    told = {*partly, *(change.statement for change in changes)}
    equal = dict.fromkeys(statement for _, statement in known if statement not in told)
    return SeenPlans(changes, tuple(equal), tuple(partly), tuple(dict.fromkeys(unknown)))


def _not_with_all(group: Sequence[str], known: Mapping[tuple[str, str], tuple[Step, ...]]) -> Iterator[str]:
    """Yields statements whose plan is not known with every treatment of a group, but with one of them."""
    for name, statement in known:
        if name in group and any((one, statement) not in known for one in group):
            yield statement


def _changes(group: Sequence[str], known: Mapping[tuple[str, str], tuple[Step, ...]]) -> Iterator[PlanChange]:
    """Yields the plans of a group's treatments that are another than those of its baseline, the first; a plan
    that is not known is none.
    """
    baseline, *others = group
    for (side, statement), before in known.items():
        found: dict[tuple[Step, ...], list[str]] = {}
        for other in others if side == baseline else ():
            after = known.get((other, statement))
            if after is not None and _differ(before, after):
                found.setdefault(after, []).append(other)
        for after, with_it in found.items():
            yield PlanChange(statement, baseline, tuple(with_it), before, after)


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
