"""Turns claims in words into claims in the language of studies, with the names and levels of the tables.

Words in these forms:

a > b > c        order; also >> << >= <= ~ between phrases or terms such as tps(noop)
argmax over {25,40,75,95} = 75; overall maximum tps at x=3000
load rises with threads; latency_avg(unindexed) rises with threads
qps(indexed) starts to collapse at 512 threads
qps(unindexed) = 14 at every thread count; latency(indexed) < 1 s; qps(indexed) ~ 12000
qps(indexed) peaks at 128 threads; performance falls from 128 threads; highest latency(unindexed) = 132 s
tps independent of x; x, y have no effect; 2000..8000 best

"Slightly", "clearly" and >> say by how much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Literal

from assay.design.study.claims import (
    Among,
    Axis,
    Band,
    Bend,
    Claim,
    ClaimPart,
    ClaimSyntaxError,
    ComparisonClaim,
    CourseClaim,
    Extreme,
    Figure,
    KneeClaim,
    OneOf,
    Quotient,
    Relation,
    Selector,
    Side,
    Term,
    parse_claim,
)
from assay.results.audit.claims.measures import kinds_of, measure_of, stands_for_kind
from assay.results.audit.claims.printed_claim import SAME, About, Known, PrintedClaim, margin_of
from assay.results.audit.figure import in_prose, parse_figure
from assay.results.audit.metrics import SECONDS
from assay.results.audit.selecting import Rungs, fits, rungs_of, wanted

_RELATION = re.compile(r"\s*(>>|<<|>=|<=|>|<|~|=(?!=))\s*")
_PLAIN: Mapping[str, Relation] = {
    ">>": ">", "<<": "<", ">": ">", "<": "<", ">=": ">=", "<=": "<=", "~": "~", "=": "~",
}  # fmt: skip
_NUMBER = re.compile(r"~?\s*([\d,]+(?:\.\d+)?)\s*(s|ms|us|MB/s|%)?(?=\s|$|,)")
_NOT_ASKED = re.compile(
    r"grows|gap|spread|mutex|waits|recommend|median|std|variation|share\(|ratio ~|safety|space"
)
_THREADS = Axis("threads")
_COLLAPSED = 5.0
"""Per cent of the best figure that are lost in a collapse."""


_SLIGHT, _CLEAR = Band(0.0, 10.0), Band(5.0)
"""What "slightly" and "clearly" mean in per cent: starts of one server differ by 5 to 10 %
(docs/method/statistics.md)."""
_SLIGHTLY = re.compile(r"\b(?:slightly|a little|marginally|somewhat)\b|略|稍|小幅")
_CLEARLY = re.compile(
    r"\b(?:clearly|much|far|significantly|considerably|strongly)\b|large margin|明显|显著|大幅|远"
)
_PEAKS = re.compile(r"peaks? at (\d+) threads")
_BEST_RANGE = re.compile(r"^\s*(\d+)\.\.(\d+) (?:is|are )?best")
NO_EFFECT = re.compile(
    r"^(?P<names>.+?) (?:has|have|had|makes?|shows?) (?:~ ?0|no|almost no|hardly any|little) "
    r"(?:effect|influence|difference|impact)|independent of (?P<name>\w+)"
)
_FALLS_FROM = re.compile(
    r"\b(?:falls|declines|drops|decreases)\b[\w ]*? (?:from|above|beyond) (\d+) threads?"
)
_THE_REST = re.compile(
    r"\b(smaller|lower|fewer|larger|higher|more|other)s? (?:sizes|values|levels|ones|settings|counts|numbers)"
)
_HIGHEST = re.compile(r"highest .*?(?:time|latency).*?=\s*~?\s*([\d.,]+)\s*(s|ms)\b")


@dataclass(frozen=True)
class Words:
    """A claim in words about tables with known levels, and the scope that is stated beside it."""

    text: str
    scope: str
    known: Known

    def claims(self) -> Iterator[PrintedClaim]:
        """Yields the claims that the words make; clauses in an unknown form are skipped."""
        for clause in self.text.split(";"):
            if not _NOT_ASKED.search(clause):
                yield from self._clause(clause.strip())

    def _clause(self, clause: str) -> Iterator[PrintedClaim]:
        if found := re.search(r"argmax over [^{]*\{([^}]*)\}.*=\s*(\S+)", clause):
            yield from self._best([one.strip() for one in found[1].split(",")], found[2], clause)
        elif found := re.search(r"overall maximum .*?(\w+)\s*=\s*(\S+)", clause):
            yield from self._best([found[2]], found[2], self.text, overall=True)
        elif found := re.search(r"collapses? at (\d+) threads", clause):
            bend = Bend("collapse", _COLLAPSED, self._along(clause), _THREADS)
            yield self._course(KneeClaim(bend, "=", OneOf((float(found[1]),))), clause)
        elif found := re.search(r"\b(rises|falls) with threads", clause):
            way: Literal["rises", "falls"] = "rises" if found[1] == "rises" else "falls"
            yield self._course(CourseClaim(self._along(clause), way, _THREADS), clause)
        elif found := _PEAKS.search(clause):
            yield from self._peak(float(found[1]), clause)
        elif found := _FALLS_FROM.search(clause):
            first = float(found[1])
            text = f"{self._along(clause)} falls over threads"
            yield from self._stated(text, clause, lambda cell: cell.rung is not None and cell.rung >= first)
        elif found := _HIGHEST.search(clause):
            most = float(found[1].replace(",", "")) * SECONDS[found[2]] * 1e3
            term = self._term((f"latency {clause}",), wanted(self.known, clause))
            yield from self._stated(f"max {term} over threads ~ {most:g}", "latency")
        elif found := NO_EFFECT.search(clause):
            yield from self._same_at_each_level(found["names"] or found["name"], clause)
        elif found := _BEST_RANGE.search(clause):
            yield from self._best_between(found[1], found[2])
        elif "argmax" not in clause:
            yield from self._relations(clause)

    def _stated(self, text: str, clause: str, about: About = lambda cell: True) -> Iterator[PrintedClaim]:
        """Yields a claim in the language of studies about the metrics that a clause names; none where the
        tables have names that are not of that language.
        """
        try:
            claim = parse_claim(text)
        except ClaimSyntaxError:
            return
        yield PrintedClaim(claim, about, stands_for_kind(clause), SAME if "~" in text else 0.0, lead=False)

    def _peak(self, rung: float, clause: str) -> Iterator[PrintedClaim]:
        """Yields the claims about a peak: its load point, its figure in brackets, and the one beyond it."""
        term = self._along(clause)
        yield from self._stated(f"best {term} over threads = {rung:g}", clause)
        if found := re.search(r"\(\s*~?\s*([\d,]+)\s*\)", clause):
            text = f"{term} ~ {found[1].replace(',', '')}"
            yield from self._stated(text, clause, lambda cell: cell.rung == rung)
        if found := re.search(r"~?\s*([\d,]{2,})\s*(?:beyond|above|afterwards|after that)", clause):
            text = f"{term} ~ {found[1].replace(',', '')}"
            yield from self._stated(text, clause, lambda cell: cell.rung is not None and cell.rung > rung)

    def _same_at_each_level(self, names: str, clause: str) -> Iterator[PrintedClaim]:
        """Yields the claims that two levels of each named factor are within 5 %, several within 10 %."""
        for factor in self._factors_in(names):
            apart = SAME if len(self.known[factor]) == 2 else 2 * SAME
            text = f"spread {measure_of(clause)} over {factor} < {100 * apart:g} %"
            yield from self._stated(text, clause, _with_factor(factor))

    def _best_between(self, low: str, high: str) -> Iterator[PrintedClaim]:
        """Yields the claim that the best level of the factor named in the text lies in a range."""
        for factor in self._factors_in(self.text):
            text = f"best {measure_of(self.text)} over {factor} = {low}..{high}"
            yield from self._stated(text, self.text, _with_factor(factor))

    def _factors_in(self, text: str) -> list[str]:
        return [one for one in self.known if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)]

    def _relations(self, clause: str) -> Iterator[PrintedClaim]:
        rungs = re.search(r"\bfor threads\s*[<>]=?\s*\d+.*|\bfor threads\b.*", clause)
        tail = rungs[0] if rungs else ""
        body = clause.replace(tail, "") if tail else clause
        body = re.sub(r"\(([^)]*)\)", lambda found: "(" + found[1].replace("=", "\0") + ")", body)
        previous, before = "", [""]
        for factor in self.known:  # `cache=all` is a level, and no relation
            body = re.sub(rf"(?<!\w)({re.escape(factor)})\s*=(?!=)\s*", "\\1\0", body)
        for part in re.split(r"\s+and\s+(?=both|[><~]|\w+\()", body):
            pieces = _RELATION.split(part)
            sides = [piece.replace("\0", "=").strip() for piece in pieces[::2]]
            if sides[0] in ("", "both"):
                sides[0] = previous if sides[0] == "" else ", ".join(before)
            for left, sign, right in zip(sides, pieces[1::2], sides[1:], strict=False):
                number = _NUMBER.match(right)
                if number and left:
                    yield from self._figure(left, sign, number, f"{right} {tail}")
                elif left and right:
                    yield from self._order(left, sign, right, tail)
            previous, before = sides[0], sides

    def _order(self, left: str, sign: str, right: str, tail: str) -> Iterator[PrintedClaim]:
        phrases = (left, right, self.scope)
        found = self._apart(left, right, phrases, (tail, right))
        if found is not None:
            one, other, about = found
            relation = _PLAIN[sign]
            margin = margin_of(relation)
            band = _band(sign, f"{left} {right} {tail}") if margin == 0 else None
            yield self._compared(one, relation, other, about, phrases, margin, lead=margin == 0, band=band)

    def _figure(self, left: str, sign: str, number: re.Match[str], context: str) -> Iterator[PrintedClaim]:
        value, unit = float(number[1].replace(",", "")), number[2] or ""
        if value <= 0:
            return
        stated = parse_figure(f"{value:g}") if sign == "~" else None
        margin = SAME + (in_prose(stated).step / 2 / value if stated else 0.0)
        if "/" in left:
            above, _, under = left.partition("/")
            phrases = (above, under, self.scope)
            found = self._apart(above, under, phrases, (context,))
            if found is not None:
                one, other, about = found
                yield self._compared(
                    Quotient(one, other), _PLAIN[sign], Figure(value), about, phrases, margin
                )
        elif (levels := wanted(self.known, left)) and kinds_of(left) and "highest" not in left:
            scaled = value * SECONDS[unit] * 1e3 if unit in SECONDS else value
            about = self._selected({}, (context, left))
            yield self._compared(
                self._term((left,), levels), _PLAIN[sign], Figure(scaled), about, (left,), margin
            )

    def _best(
        self, levels: list[str], best: str, context: str, *, overall: bool = False
    ) -> Iterator[PrintedClaim]:
        """Yields the claim that no level has more than the best, at each load point or over all of them."""
        names = [name for name, found in self.known.items() if set(levels) <= found]
        named = [name for name in names if name in context or len(levels) > 1]
        others = self.known[named[0]] - {best} if named else set()
        if not others:
            return
        one, other = (self._term((context,), {named[0]: frozenset(some)}) for some in ({best}, others))
        sides: tuple[Side, Side] = (one, other)
        if overall:
            sides = (Extreme("max", one, (_THREADS,)), Extreme("max", other, (_THREADS,)))
        yield self._compared(sides[0], ">=", sides[1], lambda cell: True, (context,), 0.0, lead=True)

    def _course(self, part: ClaimPart, clause: str) -> PrintedClaim:
        return PrintedClaim(Claim((part,)), lambda cell: True, stands_for_kind(clause), 0.0, lead=True)

    def _along(self, clause: str) -> Term:
        return self._term((clause,), wanted(self.known, clause))

    def _compared(
        self,
        left: Side,
        relation: Relation,
        right: Side,
        about: About,
        phrases: tuple[str, ...],
        margin: float,
        *,
        lead: bool = False,
        band: Band | None = None,
    ) -> PrintedClaim:
        part = ComparisonClaim((left, right), (relation,), (band,))
        return PrintedClaim(Claim((part,)), about, stands_for_kind(*phrases), margin, lead)

    def _apart(
        self, left: str, right: str, phrases: tuple[str, ...], contexts: tuple[str, ...]
    ) -> tuple[Term, Term, About] | None:
        """Returns terms for two phrases that differ in the levels of one factor, and what both are about."""
        if "(" in left and not left.startswith("(") and kinds_of(left.partition("(")[0]) is None:
            return None  # a measure that no table has, such as recovery_time(5.5)
        one, other = wanted(self.known, left), wanted(self.known, right)
        if (bare := re.fullmatch(r"\w*\((\d+)\)", right)) and len(one) == 1:
            name = next(iter(one))
            other = {name: frozenset({bare[1]})} if bare[1] in self.known[name] else {}
        if (rest := _THE_REST.search(right)) and len(one) == 1:
            name = next(iter(one))
            other = {name: frozenset(_rest(self.known[name], one[name], rest[1]))}
        factors = [name for name in one.keys() & other.keys() if one[name] != other[name] and other[name]]
        if len(factors) != 1 or one.keys() != other.keys():
            return None
        factor = factors[0]
        common = {name: levels for name, levels in one.items() if name != factor}
        terms = (self._term(phrases, {factor: levels[factor]}) for levels in (one, other))
        return next(terms), next(terms), self._selected(common, contexts)

    def _term(self, phrases: tuple[str, ...], levels: Mapping[str, Set[str]]) -> Term:
        selected = ((name, tuple(sorted(some))) for name, some in levels.items())
        found = tuple((name, some[0] if len(some) == 1 else Among("or", some)) for name, some in selected)
        return Term(measure_of(*phrases), Selector(found))

    def _selected(self, levels: Mapping[str, frozenset[str]], contexts: tuple[str, ...]) -> About:
        rungs = self._rungs(contexts)
        return lambda cell: fits(cell, levels) and (cell.rung is None or rungs(cell.rung))

    def _rungs(self, contexts: tuple[str, ...]) -> Rungs:
        found = (rungs_of(text) for text in (*contexts, self.scope))
        return next((one for one in found if one is not None), lambda rung: True)


def _rest(levels: Set[str], named: Set[str], word: str) -> Iterator[str]:
    """Yields the levels that "smaller sizes" or "all others" stand for, beside those named."""
    numbers = {level: figure.value for level in levels if (figure := parse_figure(level))}
    for level in levels - named:
        if word == "other":
            yield level
        elif level in numbers and named <= numbers.keys():
            less = numbers[level] < min(numbers[one] for one in named)
            more = numbers[level] > max(numbers[one] for one in named)
            if less if word in ("smaller", "lower", "fewer") else more:
                yield level


def _with_factor(factor: str) -> About:
    return lambda cell: cell.level(factor) != ""


def _band(sign: str, words: str) -> Band | None:
    """Returns how far apart the sides are by the words beside them; None where they do not say."""
    if _SLIGHTLY.search(words):
        return _SLIGHT
    return _CLEAR if sign in (">>", "<<") or _CLEARLY.search(words) else None
