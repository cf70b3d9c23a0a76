"""Compares the plans of the load's statements: those that are another with a treatment than with its baseline
in every block, and those that change between blocks of one treatment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import duckdb

FAR = 10.0
"""Factor between two estimates of rows from which they are another plan: estimates come from samples."""

_OF_NO_WAY = frozenset({"Using where"})
"""Words of EXPLAIN that say how rows are checked, and nothing of the way to them."""


@dataclass(frozen=True)
class Step:
    """One row of EXPLAIN: a table and the way to its rows, with the server's words.

    `key_length` in bytes; `key_parts` are the columns of the key that are used, None where they are not
    known.
    """

    table: str
    access: str
    key: str
    rows: int | None
    extra: str
    key_length: int | None = None
    key_parts: tuple[str, ...] | None = None

    def goes_as(self, other: Step) -> bool:
        """Returns whether both have the same way to the rows of the same table, whatever the estimates."""
        if (self.table, self.access, self.key) != (other.table, other.access, other.key):
            return False
        if self.key_parts is not None and other.key_parts is not None:
            if self.key_parts != other.key_parts:
                return False
        elif None not in (self.key_length, other.key_length) and self.key_length != other.key_length:
            return False
        return _operations(self.extra) == _operations(other.extra)


Plan = tuple[Step, ...]


def _operations(extra: str) -> frozenset[str]:
    return frozenset(part.strip() for part in extra.split(";")) - _OF_NO_WAY - {""}


def same_way(one: Sequence[Step], other: Sequence[Step]) -> bool:
    """Returns whether two plans have the same skeleton: order of tables, access, key, its parts, and
    operations such as a filesort.
    """
    return len(one) == len(other) and all(a.goes_as(b) for a, b in zip(one, other, strict=True))


@dataclass(frozen=True)
class PlanChange:
    """A statement and its plans: with the baseline, and with treatments that all have the same other one.

    `blocks`: in how many blocks both were seen.
    """

    statement: str
    baseline: str
    treatments: tuple[str, ...]
    before: Plan
    after: Plan
    blocks: int = 1


@dataclass(frozen=True)
class PlanFlip:
    """A statement whose plan differs between blocks of one treatment: each plan with its blocks."""

    statement: str
    treatment: str
    plans: tuple[tuple[Plan, tuple[int, ...]], ...]


@dataclass(frozen=True)
class StatementChange:
    """Statements that only one of two treatments sends: the `before` of the baseline, and the `after` of the
    other one. `blocks`: in how many blocks both were seen.
    """

    baseline: str
    other: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    blocks: int = 1


@dataclass(frozen=True)
class SeenPlans:
    """The plans that differ between treatments, and those that differ between blocks of one; the statements
    whose plans are equal with all treatments of their load, those whose plan is known with some of them
    alone, and why it is unknown where that was said; the statements that only one of two treatments sends.
    """

    changes: tuple[PlanChange, ...]
    equal: tuple[str, ...]
    partly: tuple[str, ...]
    unknown: tuple[str, ...]
    flips: tuple[PlanFlip, ...] = ()
    statements: tuple[StatementChange, ...] = ()


@dataclass(frozen=True)
class _Course:
    """The plans of one statement with one treatment, by block."""

    by_block: Mapping[int, Plan]

    @property
    def ways(self) -> list[list[int]]:
        """The blocks with the same skeleton, for each skeleton, in the order in which they came."""
        found: list[list[int]] = []
        for block, plan in sorted(self.by_block.items()):
            same = next((one for one in found if same_way(self.by_block[one[0]], plan)), None)
            if same is None:
                found.append([block])
            else:
                same.append(block)
        return found

    @property
    def plan(self) -> Plan | None:
        """The plan of all blocks, with the first block's estimates; None where it changes."""
        return self.by_block[min(self.by_block)] if len(self.ways) == 1 else None

    def estimates(self, step: int) -> float | None:
        """Returns the median, over blocks, of the rows estimated for a step; None where they are unknown."""
        known = [plan[step].rows for plan in self.by_block.values()]
        return median(rows for rows in known if rows is not None) if None not in known else None


_Courses = Mapping[tuple[str, str], _Course]  # by treatment and statement

_QUERY = (
    'SELECT treatment, block, statement, "table", access, key, estimate, extra, key_length, key_parts,'
    " unknown FROM plans ORDER BY treatment, block, place"
)


def seen_plans(store: duckdb.DuckDBPyConnection, groups: Sequence[Sequence[str]]) -> SeenPlans:
    """Returns what is known of the plans of the load's statements. `groups`: treatments that are compared,
    the baseline first.
    """
    found: dict[tuple[str, str], dict[int, list[Step]]] = defaultdict(dict)
    sent: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    partly_seen: set[str] = set()
    unknown: dict[str, None] = {}
    for treatment, block, statement, *step, length, parts, why in store.execute(_QUERY).fetchall():
        if why:
            unknown[why] = None
        if statement is None:
            partly_seen.add(treatment)
        else:
            sent[treatment][statement].add(block)
        table, access, key, rows, extra = step
        if statement is None or (access is None and extra is None):
            continue
        used = None if parts is None else tuple(parts.split(","))
        one = Step(table or "", access or "", key or "", rows, extra or "", length, used)
        found[treatment, statement].setdefault(block, []).append(one)
    known = {
        key: _Course({block: tuple(plan) for block, plan in blocks.items()}) for key, blocks in found.items()
    }
    flips = tuple(_flip(*key, course) for key, course in known.items() if course.plan is None)
    changes = tuple(change for group in groups for change in _changes(group, known))
    partly = dict.fromkeys(one for group in groups for one in _not_with_all(group, known))
    told = {*partly, *(change.statement for change in changes), *(flip.statement for flip in flips)}
    equal = dict.fromkeys(statement for _, statement in known if statement not in told)
    others = tuple(change for group in groups for change in _other_statements(group, sent, partly_seen))
    return SeenPlans(changes, tuple(equal), tuple(partly), tuple(unknown), flips, others)


def _flip(treatment: str, statement: str, course: _Course) -> PlanFlip:
    ways = ((course.by_block[blocks[0]], tuple(blocks)) for blocks in course.ways)
    return PlanFlip(statement, treatment, tuple(ways))


def _not_with_all(group: Sequence[str], known: _Courses) -> Iterator[str]:
    """Yields statements whose plan is not known with every treatment of a group, but with one of them."""
    for name, statement in known:
        if name in group and any((one, statement) not in known for one in group):
            yield statement


def _other_statements(
    group: Sequence[str], sent: Mapping[str, Mapping[str, set[int]]], partly_seen: Collection[str]
) -> Iterator[StatementChange]:
    """Yields the statements that the baseline of a group, its first treatment, or another one sends alone,
    where statements of both were seen. What was not seen of a treatment of which not all was seen may be sent
    all the same.
    """
    baseline, *others = group

    def alone(side: str, other: str) -> tuple[str, ...]:
        return () if other in partly_seen else tuple(one for one in sent[side] if one not in sent[other])

    for other in others:
        if baseline not in sent or other not in sent:
            continue
        before, after = alone(baseline, other), alone(other, baseline)
        if before or after:
            blocks = min(len(seen) for side in (baseline, other) for seen in sent[side].values())
            yield StatementChange(baseline, other, before, after, blocks)


def _changes(group: Sequence[str], known: _Courses) -> Iterator[PlanChange]:
    """Yields the plans of a group's treatments that are another than those of its baseline, the first, in all
    blocks of both; a plan that is not known, or changes between blocks, is none.
    """
    baseline, *others = group
    for (side, statement), before in known.items():
        if side != baseline or before.plan is None:
            continue
        found: dict[Plan, list[str]] = {}
        for other in others:
            after = known.get((other, statement))
            if after is not None and after.plan is not None and _differ(before, after):
                found.setdefault(after.plan, []).append(other)
        for plan, with_it in found.items():
            blocks = min(len(known[one, statement].by_block) for one in (baseline, *with_it))
            yield PlanChange(statement, baseline, tuple(with_it), before.plan, plan, blocks)


def _differ(before: _Course, after: _Course) -> bool:
    assert before.plan is not None
    assert after.plan is not None
    if not same_way(before.plan, after.plan):
        return True
    steps = range(len(before.plan))
    return any(_are_far(before.estimates(step), after.estimates(step)) for step in steps)


def _are_far(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return False
    return max(one, other) >= FAR * max(min(one, other), 1)
