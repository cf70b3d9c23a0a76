"""Prints the outcome of a gate: the sentence, a row for each check, and what the blocks can show."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from assay.base.printable import line
from assay.experiments.gate import (
    Check,
    Gated,
    Ledger,
    alarm_sentence,
    records_of,
)
from assay.front.terminal.tables import figures_table
from assay.reporting.report import (
    chance_sentence,
    check_name,
    figure_text,
    gate_summary,
    load_words,
    reach_text,
)

_COLOURS = {"passed": "green", "failed": "bold red", "undecided": "yellow", "unjudged": "bold yellow"}


def print_gate(gated: Gated, console: Console, ledger: Ledger | None = None) -> None:
    """Prints every check with its figure, the reasons of those that did not pass, the limits of what was
    measured, and how often each gate was right, by the `ledger` of its alarms.
    """
    words = load_words("en")
    table = figures_table("outcome", "check", "figure", "blocks", "smallest change shown", left=3)
    for one in gated.checks:
        found = None if one.part is None else one.part.figure
        table.add_row(
            Text(words(f"word.{one.outcome}"), style=_COLOURS[one.outcome]),
            Text(line(check_name(one, gated))),
            Text(figure_text(found, words, gated.load_kind)),
            str(one.blocks),
            reach_text(one.reach, words),
        )
    console.print(table)
    for one in gated.remarkable:
        console.print(_reason(one, gated))
    for one in gated.checks:
        if one.first is not None:
            console.print(Text(f"  {line(check_name(one, gated))}: at first: {line(one.first.why)}"))
    if gated.baseline is not None:
        console.print(words("gate.baseline", date=gated.baseline), markup=False)
    if gated.fresh is not None:
        console.print(words("gate.fresh", blocks=gated.fresh.blocks), markup=False)
    console.print(chance_sentence(gated, words), markup=False)
    for record in () if ledger is None else records_of(gated, ledger):
        console.print(line(alarm_sentence(record, words)), markup=False)
    console.print(Text(gate_summary(gated, words), style="bold"))


def print_alarms(ledger: Ledger, console: Console) -> None:
    """Prints all alarms, and for each gate how often it was right."""
    words = load_words("en")
    table = figures_table("alarm", "at", "study", "claim", "load", "figure", "closed", "why", left=8)
    for one in ledger.alarms:
        load = "" if one.load is None else f"{one.load:g}"
        cells = (one.id, one.at, one.study, one.claim, load, one.figure, one.closing or "not yet", one.why)
        table.add_row(*(Text(line(cell)) for cell in cells))
    console.print(table)
    for record in ledger.records:
        console.print(line(alarm_sentence(record, words)), markup=False)


def _reason(check: Check, gated: Gated) -> Text:
    warns = " (warning)" if check.weight == "warning" else ""
    return Text(f"  {check.outcome}{warns}: {line(check_name(check, gated))}: {line(check.why)}")
