"""Compares the ledgers of two treatments: groups first, then the lines of groups that have moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.design.study import Study
from assay.results.ledger import LEDGERS
from assay.results.stats import Gate, Shift, shift_tree, shifts
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Floats, Observations
from assay.results.verdict.treatments import Treatment, by_workload
from assay.results.verdict.why.counters import counter_ledger
from assay.results.verdict.why.lines import PairedLines, RunLedgers, paired, without_rounding
from assay.results.verdict.why.records import REST, LedgerShift, LineShift, LineWord
from assay.results.verdict.why.run_ledger import Name
from assay.results.verdict.why.speed import at_one_speed, do_the_same

UNIT = "us"
MOST_APART = 19
"""Groups, and lines inside a group, that are looked at one by one: each more costs all others power."""


def ledger_shifts(
    study: Study,
    seen: Observations,
    ledgers: RunLedgers,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    gate: Gate,
) -> tuple[LedgerShift, ...]:
    """Returns the ledgers of every treatment beside the first of its workload at every load point: those of
    what was watched, and that of counters.

    Each ledger is a family of its own. Nothing is said where windows or data forbid any verdict.
    """
    if seen.barred:
        return ()
    parts = by_workload(study, treatments)
    groups = [[one for one in treatments if one.name in part.names] for part in parts] or [list(treatments)]
    pairs = [(group[0].name, other.name) for group in groups for other in group[1:]]
    kind = study.load.kind
    return tuple(
        shift
        for pair in pairs
        for load in loads
        for shift in _of_pair(
            seen.over_loads(pair),
            ledgers,
            (Place(pair[0], load, kind), Place(pair[1], load, kind)),
            gate,
            study.verdict.known_margin,
            treatments,
        )
    )


def _of_pair(
    seen: Observations,
    ledgers: RunLedgers,
    places: tuple[Place, Place],
    gate: Gate,
    margin: float,
    treatments: Sequence[Treatment],
) -> Iterator[LedgerShift]:
    gate = replace(gate, fewest=seen.fewest(gate))
    for ledger in LEDGERS:
        lines = paired(ledgers, ledger, places, seen)
        if lines is None:
            continue
        if ledger == "cpu" and do_the_same(seen, places, treatments):
            lines = at_one_speed(lines)
        uncounted = lines.uncounted if ledger == "waits" else ()
        if (kept := lines.without(uncounted).gathered(MOST_APART)).names:
            yield replace(compared(ledger, kept, places, gate), uncompared=uncounted)
    counted = counter_ledger(seen, places, gate, margin, ledgers)
    if counted is not None:
        yield counted


def compared(ledger: str, lines: PairedLines, places: tuple[Place, Place], gate: Gate) -> LedgerShift:
    """Returns a ledger of which the groups, and then the lines of moved groups, are judged as one tree."""
    names = {group: [name for name in lines.names if name[0] == group] for group in lines.groups}
    sides = {group: lines.sides(own) for group, own in names.items()}
    below = {
        group: {line: lines.sides(parts) for line, parts in _inside(own).items()}
        for group, own in names.items()
    }
    of_groups, of_lines = shift_tree(
        {group: without_rounding(*both) for group, both in sides.items()},
        {
            group: {line: without_rounding(*both) for line, both in own.items()}
            for group, own in below.items()
        },
        gate,
    )
    totals = lines.totals()
    whole = None if totals is None else shifts([without_rounding(*totals)], gate)[0]
    change = whole.value if whole is not None and whole.moved else None
    order = sorted(of_groups, key=lambda group: (not of_groups[group].moved, -abs(of_groups[group].value)))
    found = []
    for group in order:
        found.append(_line((group, ""), sides[group], of_groups[group], change))
        inside = of_lines.get(group, {})
        if of_groups[group].moved and not inside and any(line for _, line in names[group]):
            inside = {names[group][0][1]: of_groups[group]}  # it is the whole group
        found += [
            _line((group, line), below[group][line], shift, change)
            for line, shift in sorted(inside.items(), key=lambda one: (not one[1].moved, -abs(one[1].value)))
        ]
    ledger_shift = LedgerShift(
        baseline=places[0].treatment,
        other=places[1].treatment,
        load=places[0].load or 0.0,
        ledger=ledger,
        blocks=len(lines.before),
        lines=tuple(found),
        loads=len(set(lines.loads)) or None,
        needed=gate.fewest,
        runs=lines.runs,
    )
    if totals is None or whole is None:
        return ledger_shift
    return replace(
        ledger_shift,
        before=float(totals[0].mean()),
        after=float(totals[1].mean()),
        change=whole.value,
        low=whole.low,
        high=whole.high,
        moved=whole.moved,
        apart=whole.value - sum(one.value for one in of_groups.values()),
    )


def _inside(names: Sequence[Name]) -> dict[str, list[Name]]:
    """Returns the lines inside a group by what they are called: the largest, and all others as one. Which are
    the largest does not depend on how they differ.
    """
    named = [name for name in names if name[1]][:MOST_APART]
    rest = [name for name in names if name not in named]
    return {name[1]: [name] for name in named} | ({REST: rest} if rest else {})


def _line(
    name: tuple[str, str], sides: tuple[Floats, Floats], shift: Shift, whole: float | None
) -> LineShift:
    return LineShift(
        group=name[0],
        line=name[1],
        unit=UNIT,
        before=float(sides[0].mean()),
        after=float(sides[1].mean()),
        change=shift.value,
        low=shift.low,
        high=shift.high,
        word=_word(shift),
        limit=shift.limit,
        detectable=shift.detectable,
        p=shift.p,
        share=None if not whole else shift.value / whole,
    )


def _word(shift: Shift) -> LineWord:
    if shift.limit is None:
        return "estimate-only"
    return "moved" if shift.moved else "bounded"
