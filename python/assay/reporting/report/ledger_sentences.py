"""Sentences about ledgers: what a difference between two treatments is made of, in the report's languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.numbers import ends, number, with_interval
from assay.base.printable import line as printable
from assay.results.ledger import LEDGERS
from assay.results.verdict import COUNTERS, REST, SMALLER

if TYPE_CHECKING:
    from assay.design.study import LoadKind
    from assay.reporting.report.words import Words
    from assay.results.verdict import LedgerShift, LineShift, Results, WatchedShare

MOST_FACTS = 5
_IN_PERCENT = ("us", "B")
"""Units of which a person wants to know the share that is added, and not the amount."""
_MOST_PERCENT = 1000.0


def signed(value: float, low: float | None, high: float | None) -> str:
    """Returns a difference with its sign and both ends of its interval: `+9.1 (8.0…10.2)`."""
    shown = ends(value, low, high)
    text, interval = (number(value), "") if shown is None else (shown[0], f" ({shown[1]}…{shown[2]})")
    return f"{_plus(text, value)}{interval}"


def percent(of: float, value: float, low: float | None, high: float | None, words: Words) -> str:
    """Returns a difference as a percentage of a figure: `+9.1 % (8.0…10.2)`."""
    scale = 100 / of
    edges = [None if edge is None else edge * scale for edge in (low, high)]
    shown = ends(value * scale, edges[0], edges[1])
    text = number(value * scale) if shown is None else shown[0]
    said = words("ledger.percent", amount=_plus(text, value))
    return said if shown is None else f"{said} ({shown[1]}…{shown[2]})"


def part_name(line: LineShift, ledger: str, words: Words) -> str:
    """Returns the name of a line for people: a figure of the counter ledger, a group, or a part of it."""
    if ledger == COUNTERS:
        return words.get(f"ledger.figure.{line.group}", line.group.replace("_", " "))
    if line.line == REST:
        return words("ledger.rest")
    if line.line and line.group != SMALLER:  # a wait that a rule names, or a function
        return words.get(f"ledger.line.{line.line.replace(' ', '-')}", line.line)
    group = line.line or line.group
    return words.get(f"ledger.group.{group}", group.replace("-", " "))


def ledger_name(ledger: str, words: Words) -> str:
    """Returns what a ledger divides, for people."""
    return words.get(f"ledger.of.{ledger}", ledger)


def line_fact(line: LineShift, ledger: str, words: Words) -> str:
    """Returns what a line that has moved says: `3.2 more pages read per query`, `CPU per query +9.1 %
    (8.0…10.2)`, `row locks +3.1 µs`.
    """
    name = part_name(line, ledger, words)
    if ledger != COUNTERS:
        amount = signed(line.change, line.low, line.high).partition(" (")[0]
        return words("ledger.part", name=name, amount=f"{amount} {words.unit(line.unit)}")
    relative = abs(line.change / line.before) * 100 if line.before else None
    if line.unit in _IN_PERCENT and relative is not None and relative < _MOST_PERCENT:
        amount = percent(line.before, line.change, line.low, line.high, words)
        return words("ledger.changed", name=name, amount=amount)
    if line.unit in _IN_PERCENT:
        unit = words.unit(line.unit)
        return words(
            "ledger.from-to", name=name, before=number(line.before), after=number(line.after), unit=unit
        )
    shown = ends(line.change, line.low, line.high)
    amount = (number(line.change) if shown is None else shown[0]).lstrip("−-")
    return words("ledger.more" if line.change > 0 else "ledger.fewer", amount=amount, name=name)


@dataclass(frozen=True)
class Telling:
    """How sentences about ledgers are made: the words, the names of treatments, the kind of load, the blocks
    that a verdict needs, and the most lines that a sentence names.
    """

    words: Words
    names: Mapping[str, str]
    load_kind: LoadKind
    needed: int
    most: int = MOST_FACTS

    @classmethod
    def of(cls, results: Results, words: Words, names: Mapping[str, str], most: int = MOST_FACTS) -> Telling:
        """Returns the way to tell the ledgers of results."""
        return cls(words, names, results.load_kind, results.gate.fewest, most)


def ledger_sentence(shift: LedgerShift, how: Telling) -> str:
    """Returns the one sentence of a ledger: how much differs, and which lines it is made of."""
    at = how.words.load(shift.load, how.load_kind)
    sides = {
        name: how.names.get(of, of) for name, of in (("other", shift.other), ("baseline", shift.baseline))
    }
    return how.words("ledger.says", load=at, said=_said(shift, how), **sides)


def _said(shift: LedgerShift, how: Telling) -> str:
    words, named, what = how.words, shift.named, ledger_name(shift.ledger, how.words)
    if all(one.word == "estimate-only" for one in shift.lines):
        return words(
            f"ledger.too-few{'' if shift.loads is None else '-loads'}",
            blocks=shift.units,
            needed=shift.needed or how.needed,
            what=what,
        )
    facts = [line_fact(one, shift.ledger, words) for one in named[: how.most]]
    if len(named) > how.most:
        facts.append(words("ledger.others", count=len(named) - how.most))
    if shift.ledger == COUNTERS:
        return words.clauses(facts) if facts else words("ledger.no-figure", count=len(shift.lines))
    if shift.before is None or shift.change is None:
        if not facts:
            return _nothing(shift, words, "ledger.no-line")
        return words("ledger.of-lines", what=what, parts=words.listed(facts))
    whole = _whole(shift, shift.before, shift.change, words)
    if not facts:
        return _nothing(shift, words, "ledger.no-group" if shift.moved else "ledger.nothing", whole=whole)
    share = _share(named) if shift.moved else None
    parts = words.listed(facts)
    if share is None:
        return words("ledger.made-of", what=what, whole=whole, parts=parts)
    return words("ledger.explained", what=what, whole=whole, parts=parts, share=number(round(100 * share)))


def uncompared_figures(shifts: Iterable[LedgerShift], words: Words) -> str | None:
    """Returns which figures or groups of ledgers are not compared; None where all are."""
    names = dict.fromkeys(name for shift in shifts for name in shift.uncompared)
    listed = (words.get(f"ledger.figure.{name}", words.get(f"ledger.group.{name}", name)) for name in names)
    return words("ledger.uncompared", names=words.listed(listed)) if names else None


def _whole(shift: LedgerShift, before: float, change: float, words: Words) -> str:
    """Returns the whole difference: in percent where there was anything before."""
    if before:
        return percent(before, change, shift.low, shift.high, words)
    return f"{signed(change, shift.low, shift.high)} {words.unit(shift.lines[0].unit)}"


def _nothing(shift: LedgerShift, words: Words, key: str, **values: str) -> str:
    """Returns that no line has moved, and how large a difference of one would have been found."""
    least = shift.detectable
    unit = words.unit(shift.lines[0].unit)
    said = words(key, what=ledger_name(shift.ledger, words), **values)
    if least is None:
        return said
    return words.clauses([said, words("ledger.would-show", least=number(least), unit=unit)])


def _share(named: Sequence[LineShift]) -> float | None:
    shares = [one.share for one in named if one.share is not None]
    return sum(shares) if shares else None


def ledger_word(line: LineShift, words: Words) -> str:
    """Returns the word for a line: that it moved, or that its difference is not above a figure."""
    if line.word == "bounded" and line.limit:
        return words("ledger.bounded", limit=number(line.limit), unit=words.unit(line.unit)).strip()
    return words(f"ledger.word.{line.word}")


def missing_ledgers(shifts: Sequence[LedgerShift], results: Results, words: Words) -> list[str]:
    """Returns what the results have no ledger of, and the line that gives it: what a source of the profile
    window did not read and why, or that there was no such window.
    """
    absent = {name for name in LEDGERS if name not in {one.ledger for one in shifts}}
    said, named = [], set()
    explained = {one.source for one in results.unwatched if not one.is_partly}
    for one in results.unwatched:
        lacking = [name for name in one.ledgers if name in absent]
        named.update(lacking)
        listed = words.listed(ledger_name(name, words) for name in lacking or one.ledgers)
        if one.is_partly and (not lacking or one.source in explained):
            key = "ledger.noted"
        else:
            some = "" if one.runs == one.windows else "-some"
            key = f"ledger.unwatched{some}" if lacking else "ledger.partly"
        reason = printable(f"{one.why}; {one.remedy}" if one.remedy else one.why)
        said.append(words(key, what=listed, why=reason, runs=one.runs, windows=one.windows))
    if unsaid := [name for name in LEDGERS if name in absent - named]:
        listed = words.listed(ledger_name(name, words) for name in unsaid)
        said.append(words("ledger.nothing-seen" if results.watched_runs else "ledger.missing", what=listed))
    return said


def effect_of_watching(
    shares: Sequence[WatchedShare], shifts: Sequence[LedgerShift], how: Telling
) -> str | None:
    """Returns how much the treatments of ledgers did while they were watched; None where nobody watched."""
    shown = {(name, one.load) for one in shifts for name in (one.baseline, one.other)}
    found = [one for one in shares if (one.treatment, one.load) in shown]
    if not found:
        return None
    parts = []
    for one in found:
        ends = (None if end is None else 100 * end for end in (one.low, one.high))
        name = how.names.get(one.treatment, one.treatment)
        said = with_interval(100 * one.share, *ends)
        parts.append(how.words(f"ledger.effect-{one.measure}", treatment=name, percent=said))
    load = how.words.load(found[0].load, how.load_kind)
    return how.words("ledger.effect", load=load, parts=how.words.listed(parts))


def why_sentences(shifts: Sequence[LedgerShift], how: Telling) -> list[str]:
    """Returns a sentence for every ledger, in their order."""
    return [ledger_sentence(one, how) for one in shifts]


def told_of(shifts: Sequence[LedgerShift], how: Telling) -> str:
    """Returns what is most telling of a pair of treatments: the sentences of ledgers of which a line has
    moved, and that of counters only where no other says anything; "" where nothing is certain.
    """
    moved = [one for one in shifts if one.named]
    of_time = [one for one in moved if one.ledger != COUNTERS]
    return how.words.sentences(why_sentences(of_time or moved, how))


def _plus(text: str, value: float) -> str:
    return f"+{text}" if value > 0 else text
