"""Says where to look first: the one line that has most of a difference, and what else speaks of it.

The ledger of time says whether transactions wait or compute, that of processor time what they compute. Where
processors are busy, whatever costs more of them makes everybody wait for them, too, clients on the same
machine among them: such a wait is a consequence, and the cost is named in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.base.printable import line as printable
from assay.reporting.report.ledger_sentences import line_fact, part_name, signed
from assay.reporting.report.tables.plans import plan_words
from assay.results.ledger import RUNNABLE
from assay.results.verdict import COUNTERS, REST

if TYPE_CHECKING:
    from assay.reporting.report.ledger_sentences import Telling
    from assay.reporting.report.words import Words
    from assay.results.verdict import LedgerShift, LineShift, PlanChange

_ON_CPU = "on-cpu"
_FOLLOWING = (RUNNABLE, "client")
"""Waits that grow where processors have more to do."""
_CONSEQUENCES = frozenset({"server_cpu_us_per_query", "context_switches_per_query"})
"""Counters that follow from any other cost."""
_MOST_COUNTERS = 2
_MOST_OF_IT = 0.5
"""Share of a group, or of a relative difference, from which on a part stands for the whole."""
_STATEMENT_CHARACTERS = 80


def first_looks(shifts: Sequence[LedgerShift], plans: Sequence[PlanChange], how: Telling) -> list[str]:
    """Returns a sentence for every pair of treatments of which a line of a ledger has moved, or a plan is
    another in as many blocks as a verdict needs.
    """
    said = []
    for baseline, other in dict.fromkeys((one.baseline, one.other) for one in shifts):
        of_pair = [one for one in shifts if (one.baseline, one.other) == (baseline, other)]
        changed = [
            one
            for one in plans
            if one.baseline == baseline and other in one.treatments and one.blocks >= how.needed
        ]
        if parts := list(_parts({one.ledger: one for one in of_pair}, changed, how.words)):
            sides = {name: how.names.get(of, of) for name, of in (("other", other), ("baseline", baseline))}
            load = how.words.load(of_pair[0].load, how.load_kind)
            said.append(how.words("ledger.first", load=load, parts=how.words.listed(parts), **sides))
    return said


def _parts(ledgers: Mapping[str, LedgerShift], plans: Sequence[PlanChange], words: Words) -> Iterator[str]:
    time, cpu, counters = (ledgers.get(name) for name in ("time", "cpu", COUNTERS))
    waited, computed = _largest(time), _largest(cpu)
    if cpu is not None and computed is not None and _is_of_processors(waited, time, cpu):
        yield _cost(computed, cpu, "ledger.first-cost", words)
    elif time is not None and waited is not None:
        yield _cost(waited, time, "ledger.first-wait", words)
    for plan in plans[:1]:
        yield words(
            "ledger.first-plan",
            statement=printable(plan.statement, _STATEMENT_CHARACTERS),
            before=plan_words(plan.before, words),
            after=plan_words(plan.after, words),
        )
    if counters is not None:
        telling = [one for one in counters.named if one.group not in _CONSEQUENCES]
        yield from (line_fact(one, COUNTERS, words) for one in telling[:_MOST_COUNTERS])


def _largest(shift: LedgerShift | None) -> LineShift | None:
    """Returns the largest group that has moved the way the whole has; None without one."""
    if shift is None:
        return None
    whole = shift.change if shift.moved else None
    named = [one for one in shift.named if whole is None or one.change * whole > 0]
    return max(named, key=lambda one: abs(one.change), default=None)


def _is_of_processors(waited: LineShift | None, time: LedgerShift | None, cpu: LedgerShift) -> bool:
    """Returns whether the difference is one of processor time: nothing else takes more time, or only a wait
    that follows from it, where processor time has grown at least half as much as the time of a transaction.
    """
    if time is None or waited is None or waited.group == _ON_CPU:
        return True
    if waited.group not in _FOLLOWING or not (cpu.moved and cpu.before and time.before):
        return False
    assert cpu.change is not None and time.change is not None, "both have sums"  # noqa: PT018
    grown, whole = cpu.change / cpu.before, time.change / time.before
    return grown * whole > 0 and abs(grown) >= _MOST_OF_IT * abs(whole)


def _cost(group: LineShift, shift: LedgerShift, key: str, words: Words) -> str:
    inside = [
        one
        for one in shift.lines
        if (one.group, one.word) == (group.group, "moved") and one.line not in ("", REST)
        if "+0x" not in one.line and one.change / group.change >= _MOST_OF_IT
    ]
    name = part_name(group, shift.ledger, words)
    if inside:
        name = words("ledger.first-inside", name=name, line=part_name(inside[0], shift.ledger, words))
    amount = signed(group.change, group.low, group.high).partition(" (")[0]
    return words(key, name=name, amount=amount, unit=words.unit(group.unit))
