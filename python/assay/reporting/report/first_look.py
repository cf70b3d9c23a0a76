"""Says where to look first at a difference between two treatments, in the report's languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assay.base.printable import line as printable
from assay.reporting.report.ledger_sentences import line_fact, part_name, signed
from assay.reporting.report.tables.plans import plan_words
from assay.results.verdict import COUNTERS, LEDGER_OF, first_looks

if TYPE_CHECKING:
    from assay.reporting.report.ledger_sentences import Telling
    from assay.reporting.report.words import Words
    from assay.results.verdict import (
        FirstLook,
        LedgerShift,
        PlanChange,
        SeenPlans,
        StatementChange,
        WatchedShare,
    )

_STATEMENT_CHARACTERS = 80
_KEYS = {"cpu": "ledger.first-cost"}
_OF_WAITS = "ledger.first-wait"

Pair = tuple[str, str]


def looks_of(
    shifts: Sequence[LedgerShift], plans: SeenPlans, shares: Sequence[WatchedShare], needed: int
) -> Mapping[Pair, tuple[FirstLook, ...]]:
    """Returns what to look at first for each pair of treatments that has ledgers. Plans and statements count
    where they are others in `needed` blocks, as a verdict needs; with fewer blocks in all, in every block.
    Ledgers do not count whose watched load was another one than the measured, by its `shares`.
    """
    strange = {(one.treatment, one.load, LEDGER_OF.get(one.measure)) for one in shares if one.is_another_load}
    found = {}
    for pair in dict.fromkeys((one.baseline, one.other) for one in shifts):
        of_pair = [one for one in shifts if (one.baseline, one.other) == pair]
        ledgers = {
            one.ledger: one
            for one in of_pair
            if not any((name, one.load, one.ledger) in strange for name in pair)
        }
        blocks = min(needed, max(one.blocks for one in of_pair))
        changes = [
            one
            for one in plans.changes
            if one.baseline == pair[0] and pair[1] in one.treatments and one.blocks >= blocks
        ]
        others = (one for one in plans.statements if (one.baseline, one.other) == pair)
        statements = next((one for one in others if one.blocks >= blocks), None)
        found[pair] = first_looks(ledgers, changes, statements)
    return found


def first_sentences(
    looks: Mapping[Pair, Sequence[FirstLook]], shifts: Sequence[LedgerShift], how: Telling
) -> list[str]:
    """Returns a sentence for every pair of treatments of which something is certain."""
    said = []
    for (baseline, other), of_pair in looks.items():
        parts = [_part(one, how.words) for one in of_pair if one.is_certain]
        if parts:
            sides = {name: how.names.get(of, of) for name, of in (("other", other), ("baseline", baseline))}
            at = next(one.load for one in shifts if (one.baseline, one.other) == (baseline, other))
            load = how.words.load(at, how.load_kind)
            said.append(how.words("ledger.first", load=load, parts=how.words.listed(parts), **sides))
    return said


def _part(look: FirstLook, words: Words) -> str:
    if look.plan is not None:
        return _of_plan(look.plan, words)
    if look.statements is not None:
        return _of_statements(look.statements, words)
    assert look.line is not None, "a look is at one of the three"
    if look.ledger == COUNTERS:
        return line_fact(look.line, COUNTERS, words)
    name = part_name(look.line, look.ledger, words)
    if look.inside is not None:
        name = words("ledger.first-inside", name=name, line=part_name(look.inside, look.ledger, words))
    amount = signed(look.line.change, look.line.low, look.line.high).partition(" (")[0]
    key = _KEYS.get(look.ledger, _OF_WAITS)
    return words(key, name=name, amount=amount, unit=words.unit(look.line.unit))


def _of_plan(plan: PlanChange, words: Words) -> str:
    return words(
        "ledger.first-plan",
        statement=printable(plan.statement, _STATEMENT_CHARACTERS),
        before=plan_words(plan.before, words),
        after=plan_words(plan.after, words),
    )


def _of_statements(change: StatementChange, words: Words) -> str:
    before, after = (
        "; ".join(printable(one, _STATEMENT_CHARACTERS) for one in side[:1])
        for side in (change.before, change.after)
    )
    key = (
        "ledger.first-statement"
        if before and after
        else "ledger.first-added"
        if after
        else "ledger.first-left"
    )
    return words(key, before=before, after=after)
