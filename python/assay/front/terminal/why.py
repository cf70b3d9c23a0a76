"""Prints what the differences between treatments are made of: a sentence and a table for each ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from assay.base.numbers import number
from assay.base.printable import line
from assay.front.terminal.tables import figures_table
from assay.reporting.report import (
    Telling,
    ledger_sentence,
    ledger_word,
    part_name,
    signed,
    uncompared_figures,
)

if TYPE_CHECKING:
    from assay.reporting.report import Words
    from assay.results.verdict import LedgerShift, LineShift

_ROUNDING = 1e-6  # of what was measured
_COLOURS = {"moved": "bold", "estimate-only": "bright_black", "by-the-clock": "bright_black", "bounded": ""}


def print_why(
    shifts: Sequence[LedgerShift],
    notes: Sequence[str],
    how: Telling,
    console: Console,
    first: Sequence[str] = (),
) -> None:
    """Prints where to look `first`, the ledgers in order, and what else is to be said."""
    words = how.words
    for said in first:
        console.print(Text(line(said), style="bold"))
        console.print()
    for shift in shifts:
        console.print(Text(line(ledger_sentence(shift, how)), style="bold"))
        _print_lines(shift, console, words)
        console.print()
    for said in notes:
        console.print(said, markup=False)


def _print_lines(shift: LedgerShift, console: Console, words: Words) -> None:
    has_shares = any(one.share is not None for one in shift.lines)
    columns = (
        "line",
        "before",
        "after",
        "unit",
        "change",
        *(["share"] if has_shares else []),
        "found",
        "word",
    )
    table = figures_table(*(words(f"ledger.column-{name}") for name in columns), left=1)
    if shift.before is not None and shift.after is not None and shift.change is not None:
        table.add_row(
            Text(words("ledger.whole"), style="bold"),
            number(shift.before),
            number(shift.after),
            words.unit(shift.lines[0].unit),
            signed(shift.change, shift.low, shift.high),
        )
    for group in shift.groups:
        table.add_row(*_cells(group, shift.ledger, words, has_shares=has_shares))
        inside = [one for one in shift.lines if one.line and one.group == group.group]
        moved = [one for one in inside if one.word == "moved"]
        for one in moved:
            table.add_row(*_cells(one, shift.ledger, words, has_shares=has_shares))
        if still := len(inside) - len(moved):
            table.add_row(Text(f"  {words('ledger.inside', count=still)}", style="bright_black"))
    console.print(table)
    if shift.apart and abs(shift.apart) > _ROUNDING * abs(shift.before or 0.0):
        amount = words("ledger.part", name=words("ledger.apart"), amount=signed(shift.apart, None, None))
        console.print(Text(f"{amount} {words.unit(shift.lines[0].unit)}"))
    if (uncompared := uncompared_figures([shift], words)) is not None:
        console.print(Text(line(uncompared)))


def _cells(one: LineShift, ledger: str, words: Words, *, has_shares: bool) -> tuple[Text | str, ...]:
    indent = "  " if one.line else ""
    share = "" if one.share is None else words("ledger.percent", amount=number(100 * one.share, 0))
    return (
        Text(f"{indent}{line(part_name(one, ledger, words))}", style=_COLOURS[one.word]),
        number(one.before),
        number(one.after),
        words.unit(one.unit),
        signed(one.change, one.low, one.high),
        *([share] if has_shares else []),
        number(one.detectable),
        Text(ledger_word(one, words), style=_COLOURS[one.word]),
    )
