"""Chooses where to look first at a difference: the one line that has most of it, and what else speaks of it.

The ledger of time says whether transactions wait or compute, that of processor time what they compute. Where
processors are busy, whatever costs more of them makes everybody wait for them, too, clients on the same
machine among them: such a wait is a consequence, and the cost is named in its place. Another plan stands
before what it costs, and so do more statements of a transaction, and connections opened for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.results.ledger import RUNNABLE, UNNAMED
from assay.results.verdict.plans import PlanChange, StatementChange
from assay.results.verdict.why.records import ALIKE, COUNTERS, MACHINE, REST, SMALLER, LedgerShift, LineShift

PLANS, STATEMENTS = "plans", "statements"
"""What a look is at that is no line of a ledger."""
_ON_CPU = "on-cpu"
_FOLLOWING = frozenset({RUNNABLE, "client", "queue"})
"""Waits that grow where everything else takes longer."""
_CONSEQUENCES = frozenset({"server_cpu_us_per_query", "context_switches_per_query"})
"""Counters that follow from any other cost."""
_OF_MACHINE = frozenset({"disk_read_bytes_per_query", "disk_write_bytes_per_query"})
"""Counters of all programs of the machine, told where the server has none that says more."""
_OF_WORK = "statements_per_transaction"
_CONNECTIONS = "connections_per_transaction"
_OFTEN = 0.1
"""Connections that are opened for each transaction from which on the load works in another way."""
_TRIED_AGAIN = "rollbacks_per_transaction"
"""A transaction that was rolled back is tried again: its statements count for the one that commits."""
_NO_CAUSE = frozenset({UNNAMED, SMALLER, MACHINE, ALIKE})
"""Groups that say nothing by their names."""
_MOST_COUNTERS = 2
_LITTLE = 0.05
"""Share of a line that an estimate must differ by."""
_OF_USE = 0.0025
"""Share of all that a ledger measured, from which on a line is worth to be looked at first."""
_MOST_OF_IT = 0.5
"""Share of a group, or of a relative difference, from which on a part stands for the whole."""


@dataclass(frozen=True)
class FirstLook:
    """One thing to look at: a `line` of the ledger of that name, with the line `inside` it that has most of
    it; or a plan, or statements, that are others. `is_certain`: it has moved; otherwise it is an estimate.
    """

    ledger: str
    line: LineShift | None = None
    inside: LineShift | None = None
    plan: PlanChange | None = None
    statements: StatementChange | None = None
    is_certain: bool = True


def first_looks(
    ledgers: Mapping[str, LedgerShift],
    plans: Sequence[PlanChange] = (),
    statements: StatementChange | None = None,
) -> tuple[FirstLook, ...]:
    """Returns what to look at, in this order, between two treatments at one load point, by their ledgers,
    plans that differ and statements that differ. Nothing where nothing has moved.

    Ledgers of fewer blocks than a verdict needs give estimates.
    """
    certain = {name: one for name, one in ledgers.items() if not _is_estimate(one)}
    is_certain = bool(certain)
    found = [*_lines(certain or ledgers), *(FirstLook(PLANS, plan=plan) for plan in plans[:1])]
    found.sort(key=lambda one: (one.plan is None, one.line is not None and one.line.group in _NO_CAUSE))
    if statements is not None and found:
        found.insert(
            sum(one.ledger != COUNTERS for one in found), FirstLook(STATEMENTS, statements=statements)
        )
    return tuple(found if is_certain else (_estimated(one) for one in found))


def _estimated(look: FirstLook) -> FirstLook:
    return FirstLook(look.ledger, look.line, look.inside, look.plan, look.statements, is_certain=False)


def _lines(ledgers: Mapping[str, LedgerShift]) -> Iterator[FirstLook]:
    time, cpu, counters = (ledgers.get(name) for name in ("time", "cpu", COUNTERS))
    figures = [] if counters is None else _named(counters)
    work = [one for one in figures if _is_of_work(one, time, figures)]
    yield from (FirstLook(COUNTERS, one) for one in work)
    waited, computed = _largest(time, _FOLLOWING | _NO_CAUSE), _largest(cpu, _NO_CAUSE)
    of_more = computed is not None and waited is not None and _takes_more(computed, waited, counters)
    if cpu is not None and computed is not None and (of_more or _is_of_processors(waited, time, cpu)):
        yield FirstLook(cpu.ledger, computed, _inside(computed, cpu))
    elif time is not None and waited is not None:
        yield FirstLook(time.ledger, waited, _inside(waited, time))
    telling = [one for one in figures if one.group not in _CONSEQUENCES and one not in work]
    telling.sort(key=lambda one: one.group in _OF_MACHINE)
    yield from (FirstLook(COUNTERS, one) for one in telling[:_MOST_COUNTERS])


def _is_estimate(shift: LedgerShift) -> bool:
    return all(one.word == "estimate-only" for one in shift.lines)


def _named(shift: LedgerShift) -> tuple[LineShift, ...]:
    """Returns the groups that have moved by an amount of use; of estimates those that differ by more than a
    little.
    """
    if _is_estimate(shift):
        return tuple(one for one in shift.groups if abs(one.change) > _LITTLE * max(one.before, one.after))
    least = _OF_USE * max(shift.before or 0.0, shift.after or 0.0)
    return tuple(one for one in shift.named if abs(one.change) >= least)


def _whole(shift: LedgerShift) -> float | None:
    """Returns the difference of what was measured; None where it has not moved, or is a little of an
    estimate.
    """
    if _is_estimate(shift) and shift.change is not None:
        most = max(shift.before or 0.0, shift.after or 0.0)
        return shift.change if abs(shift.change) > _LITTLE * most else None
    return shift.change if shift.moved else None


def _largest(shift: LedgerShift | None, consequences: frozenset[str]) -> LineShift | None:
    """Returns the largest group that has moved the way the whole has; None without one.

    One that only follows from others makes room for one of them that has half as much, alone or, where it
    has more than processor time, which others follow from too, together with that.
    """
    if shift is None:
        return None
    whole = _whole(shift)
    named = [one for one in _named(shift) if whole is None or one.change * whole > 0]
    largest = max(named, key=lambda one: abs(one.change), default=None)
    if largest is None or largest.group not in consequences:
        return largest
    own = [one for one in named if one.group not in consequences | _NO_CAUSE | {_ON_CPU}]
    cause = max(own, key=lambda one: abs(one.change), default=largest)
    on_cpu = next((abs(one.change) for one in shift.groups if one.group == _ON_CPU), 0.0)
    causes = abs(cause.change) + (on_cpu if abs(cause.change) >= on_cpu else 0.0)
    return cause if causes >= _MOST_OF_IT * abs(largest.change) else largest


def _is_of_work(figure: LineShift, time: LedgerShift | None, figures: Sequence[LineShift]) -> bool:
    """Returns whether a transaction takes longer because it opens a connection, or has more statements, or
    shorter with fewer: not where it has them since it is rolled back and tried again more often, which
    something else brings about.
    """
    if figure.group != _OF_WORK:
        return figure.group == _CONNECTIONS and abs(figure.change) >= _OFTEN
    again = next((one for one in figures if one.group == _TRIED_AGAIN), None)
    more = figure.change / figure.before if figure.before else 0.0
    if again is not None and _explains(again.change / (1 + again.before), more):
        return False
    if time is None or not (time.before and time.moved) or time.change is None:
        return True
    return bool(figure.before) and _explains(figure.change / figure.before, time.change / time.before)


def _is_of_processors(waited: LineShift | None, time: LedgerShift | None, cpu: LedgerShift) -> bool:
    """Returns whether the difference is one of processor time: nothing else takes more time, or only a wait
    that follows from it, where processor time has grown at least half as much as the time of a transaction.
    Where that time has not moved, waits that follow took it from each other.
    """
    if time is None or waited is None or waited.group == _ON_CPU:
        return True
    more, longer = _whole(cpu), _whole(time)
    if waited.group not in _FOLLOWING or not (more and cpu.before and time.before):
        return False
    return longer is None or _explains(more / cpu.before, longer / time.before)


def _takes_more(computed: LineShift, waited: LineShift, counters: LedgerShift | None) -> bool:
    """Returns whether a group of processor time takes as much more of a transaction as a wait does; False
    where its number of statements is not known.
    """
    lines = () if counters is None else counters.lines
    figure = next((one for one in lines if one.group == _OF_WORK), None)
    statements = 0.0 if figure is None else (figure.before + figure.after) / 2
    return computed.change * waited.change > 0 and statements * abs(computed.change) >= abs(waited.change)


def _explains(grown: float, whole: float) -> bool:
    """Returns whether one relative difference has most of another."""
    return grown * whole > 0 and abs(grown) >= _MOST_OF_IT * abs(whole)


def _inside(group: LineShift, shift: LedgerShift) -> LineShift | None:
    """Returns the named line that has most of a group; None without one."""
    moved = (one for one in shift.lines if (one.group, one.word) == (group.group, "moved"))
    named = (one for one in moved if one.line not in ("", REST) and "+0x" not in one.line)
    return next((one for one in named if one.change / group.change >= _MOST_OF_IT), None)
