"""The tables of ledgers: each line with its difference and interval, and what may be said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.base.numbers import NOTHING
from assay.reporting.report.labels import labels
from assay.reporting.report.ledger_sentences import (
    Telling,
    ledger_word,
    missing_ledgers,
    part_name,
    uncompared_figures,
    why_sentences,
)
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Cell, Column, Figure, Table
from assay.reporting.report.words import Words
from assay.results.verdict import COUNTERS, LedgerShift, LineShift, shifts_of

_LONG = 24
"""Rows from which on a table is closed on the page."""


def tables(material: Material) -> list[Table]:
    """Returns a table for each ledger that was read, with all treatments and load points; of counters only
    the rows that have moved, since their number is the same in all results.
    """
    words, found = material.words, material.results.ledgers
    told, how = shifts_of(material.results), Telling.of(material.results, words, labels(material))
    return [
        ledger_table(
            ledger,
            [one for one in found if one.ledger == ledger],
            words,
            says=words.sentences(why_sentences([one for one in told if one.ledger == ledger], how)),
            only_moved=ledger == COUNTERS,
            missing=missing_ledgers(found, material.results, words),
        )
        for ledger in dict.fromkeys(one.ledger for one in found)
    ]


def ledger_table(
    ledger: str,
    shifts: Sequence[LedgerShift],
    words: Words,
    *,
    says: str = "",
    only_moved: bool = False,
    missing: Sequence[str] = (),
) -> Table:
    """Returns one row a line, after a row of the whole where the ledger has a sum. `missing` says what the
    results have no ledger of.
    """
    kept = [(shift, row) for shift in shifts for row in _rows(shift, words, only_moved=only_moved)]
    columns = (
        Column("treatment", words("column.treatment"), kind="text"),
        Column("load", words("reasons.load")),
        Column("line", words("ledger.column-line"), kind="text"),
        Column("within", words("ledger.column-within"), kind="text"),
        Column("unit", words("column.unit"), kind="text"),
        Column("baseline", shifts[0].baseline if shifts else ""),
        Column("value", words("reasons.value")),
        Column("difference", words("ledger.column-change")),
        Column("share", words("ledger.column-share"), unit="%"),
        Column("says", words("ledger.column-word"), kind="text"),
        Column("found from", words("ledger.column-found")),
    )
    note = words("ledger.counters-note" if ledger == COUNTERS else "ledger.note")
    if (uncompared := uncompared_figures(shifts, words)) is not None:
        note = words.sentences([note, uncompared])
    if ledger == COUNTERS:
        note = words.sentences([note, *missing])
    return Table(
        "why",
        f"ledger-{ledger}",
        words(f"ledger.title-{ledger}"),
        columns,
        tuple((shift.other, shift.load, *row) for shift, row in kept),
        note=note,
        empty=says,
        folded=ledger == COUNTERS or len(kept) > _LONG,
        says=says,
    )


def _rows(shift: LedgerShift, words: Words, *, only_moved: bool) -> Iterator[tuple[Cell, ...]]:
    if shift.before is not None:
        unit = words.unit(shift.lines[0].unit)
        whole = Figure(shift.change, shift.low, shift.high)
        says = words(f"ledger.word.{'moved' if shift.moved else 'bounded'}") if _is_judged(shift) else NOTHING
        yield words("ledger.whole"), "", unit, shift.before, shift.after, whole, None, says, None
    for line in shift.lines:
        if not only_moved or line.word in ("moved", "by-the-clock"):
            yield _line(line, shift.ledger, words)


def _is_judged(shift: LedgerShift) -> bool:
    return any(one.word != "estimate-only" for one in shift.lines)


def _line(line: LineShift, ledger: str, words: Words) -> tuple[Cell, ...]:
    group = words.get(f"ledger.group.{line.group}", line.group.replace("-", " ")) if line.line else ""
    return (
        part_name(line, ledger, words),
        group,
        words.unit(line.unit),
        line.before,
        line.after,
        Figure(line.change, line.low, line.high),
        None if line.share is None else 100 * line.share,
        ledger_word(line, words),
        line.detectable,
    )
