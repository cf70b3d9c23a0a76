"""Prints an audit: findings by file and table, then notes, then claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from assay.base.printable import line
from assay.base.wording import counted
from assay.front.terminal.output import say
from assay.results.audit import RULES, Audit, Finding, LeftOver

_SHOWN = 3


def print_audit(audit: Audit, *, notes: bool) -> None:
    """Prints the audit; notes and claims that hold are printed only with `notes`."""
    _findings(audit.findings)
    if notes and audit.notes:
        say("Notes: one sign only, or nothing wrong by itself\n")
        _findings(audit.notes)
    if audit.claims:
        held = sum(not one.misses for one in audit.claims)
        say(f"Claims that the tables answer: {len(audit.claims)}, of which {held} hold as printed")
        for one in audit.claims:
            if notes or one.misses:
                say(f"  {line(one.claim)}  {line(one.text)}\n      {line(one.said)}")
        say()
    for how in audit.decoded:
        say(line(how))
    _leftovers(audit.left)
    kept = "" if notes or not audit.notes else "; --notes shows them"
    say(
        f"{counted(len(audit.findings), 'finding')} and {counted(len(audit.notes), 'note')} in"
        f" {counted(audit.tables, 'table')} with {counted(audit.figures, 'figure')}{kept}"
    )


def _leftovers(left: Sequence[LeftOver]) -> None:
    """Prints how much was not read, and the first of each part."""
    if not left:
        return
    parts = Counter(one.part for one in left)
    say(f"left over: {', '.join(counted(number, part) for part, number in parts.items())}")
    for part in parts:
        for one in [one for one in left if one.part == part][:_SHOWN]:
            column = f", {line(one.column)}" if one.part == "cell" else ""
            say(
                f"  {line(one.file)}: line {one.line}{column}: {one.part} {line(one.text)!r}: {line(one.why)}"
            )


def _findings(found: Sequence[Finding]) -> None:
    says = {rule.name: rule.says for rule in RULES}
    for file, of_file in groupby(sorted(found, key=lambda one: one.file), key=lambda one: one.file):
        say(line(file))
        for rule, of_rule in groupby(sorted(of_file, key=lambda one: one.rule), key=lambda one: one.rule):
            say(f"  {rule}: {says[rule]}")
            for one in sorted(of_rule, key=lambda one: one.line):
                _finding(one)
        say()


def _finding(one: Finding) -> None:
    place = f"line {one.line}, " if one.line else ""
    grade = "note" if one.severity == "note" else f"{one.severity}, confidence {one.confidence}"
    say(f"    {place}{line(one.row)}, {line(one.column)}  ({grade})")
    say(f"      printed {line(one.printed)}; expected {line(one.expected)}")
    say(f"      {line(one.sign)}")
    if one.second_sign:
        say(f"      and: {line(one.second_sign)}")
