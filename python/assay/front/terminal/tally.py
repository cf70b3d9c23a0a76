"""Prints the tally of published claims: counts by report and kind, then the claims that need a reason."""

from __future__ import annotations

from rich.console import Console

from assay.base.printable import line
from assay.experiments.comparison.published import OUTCOMES, ClaimState, Tally
from assay.front.terminal.tables import figures_table
from assay.reporting.report import load_words


def print_tally(tally: Tally, console: Console, *, every: bool = False) -> None:
    """Prints counts, the reasons why claims cannot be tested, and with `every` each claim with its
    verdicts.
    """
    words = load_words("en")
    titles = {outcome: words(f"word.{outcome}") for outcome in OUTCOMES}
    table = figures_table("report", "kind", *titles.values(), "all", left=2)
    for report, kind, counts in tally.rows:
        table.add_row(report, kind, *(str(counts[one] or "") for one in OUTCOMES), str(sum(counts.values())))
    table.add_section()
    for report in dict.fromkeys(state.claim.report for state in tally.states):
        counts = tally.counts(report)
        table.add_row(report, "all", *(str(counts[one]) for one in OUTCOMES), str(sum(counts.values())))
    counts = tally.counts()
    table.add_row("all", "", *(str(counts[one]) for one in OUTCOMES), str(len(tally.states)), style="bold")
    console.print(table)
    here = [state for state in tally.states if state.outcome == "not-testable"]
    if here:
        console.print("\n[bold]Not testable here[/]")
    for state in here:
        reason = (state.reason or {}).get("en", "")
        console.print(f"  {state.claim.id}  {line(state.claim.hypothesis)}: {reason}", markup=False)
    if counts["refuted-here"]:
        console.print(f"\n{words('published.refuted-here')}", markup=False)
    if counts["not-run"] and not every:
        console.print(
            "\nNot run: there are no results for it in these folders; --claims names the studies.",
            markup=False,
        )
    if every:
        console.print("\n[bold]Claims[/]")
        for state in tally.states:
            _print_claim(state, titles[state.outcome], console)
    for sentence in tally.unread:
        console.print(f"not read: {line(sentence)}", markup=False)


def _print_claim(state: ClaimState, outcome: str, console: Console) -> None:
    claim = state.claim
    console.print(f"{claim.id}  {outcome}: {line(claim.hypothesis)}", markup=False)
    for one in state.verdicts:
        stands_in = f" (with {one.assumes})" if one.assumes else ""
        console.print(
            f"    {line(one.folder)}: {one.outcome}{stands_in}: {line(one.explanation)}", markup=False
        )
    if state.outcome != "not-testable" and state.missing:
        console.print(f"    no verdict yet of {', '.join(map(line, state.missing))}", markup=False)
    elif state.outcome == "not-run":
        console.print("    no shipped study tests it", markup=False)
