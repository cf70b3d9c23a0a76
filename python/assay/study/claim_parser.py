"""Text of a claim -> Claim, by recursive descent.

    claim    := term relation term                    order (> <), equal (~)
              | term "/" term relation figure         ratio
              | term relation figure [unit]           level
    term     := [ kind "." ] measure [ "[" item { "," item } "]" ]
    item     := factor "=" level | "threads" "=" number | "rate" "=" number | "iodepth" "=" number
    relation := ">" | "<" | ">=" | "<=" | "~"

Both terms of a claim have the same measure, or those of two phases of one window (`degraded_per_s` and
`healthy_per_s`). A kind is one of the workload's kinds of transactions, or a job on files; two kinds are
compared where they ran together.

A level with blanks, commas, brackets, quotes or "=" in it stands in double quotes, escaped as in JSON.
"""

from __future__ import annotations

import json
import math
import re
from typing import Literal, NoReturn, cast

from assay.study.claim import (
    LADDERS,
    Claim,
    EqualClaim,
    LevelClaim,
    LoadKind,
    OrderClaim,
    RatioClaim,
    Selector,
    Term,
)
from assay.study.measures import MEASURES, OF_A_KIND, SHORT_NAMES, comparable, in_unit, parted
from assay.study.nearest import did_you_mean
from assay.study.values import Scalar

_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_MEASURE = re.compile(r"[0-9][A-Za-z0-9_.\-]*\.[A-Za-z_][A-Za-z0-9_]*|" + _WORD.pattern)
"""A job may begin with a digit, as in `4k_reads.iops`."""
_RELATION = re.compile(r">=|<=|==|!=|=|>|<|~")
_FIGURE = re.compile(r"[+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_UNIT = re.compile(r"MiB/s|/s|%|[A-Za-zµ]+")
_LEVEL = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\[\]"=]+')

Relation = Literal[">", "<", ">=", "<=", "~"]


class ClaimSyntaxError(ValueError):
    """The text is not a claim. `str()` is a sentence, `at` the position, `drawing` the text with a caret."""

    def __init__(self, message: str, text: str, at: int) -> None:
        super().__init__(message)
        self.at = at
        self.drawing = f"{text}\n{' ' * at}^"


def parse_claim(text: str) -> Claim:
    """The claim as written: factor names are not looked up, levels are text. Raises ClaimSyntaxError."""
    return _Parser(text).claim()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.wrote_short = False  # the last term said `p95`, not `p95_ms`

    def claim(self) -> Claim:
        left = self.term()
        if self.take("/"):
            return self.ratio(left)
        start = self.skip()
        relation = self.relation()
        if self.peek(_FIGURE) and not self.peek(_MEASURE):
            claim: Claim = LevelClaim(left, relation, self.figure(left))
            self.end()
            return claim
        right = self.term()
        self.end()
        if left == right:
            self.fail("both sides are the same", start)
        if not comparable(left.measure, right.measure):
            self.fail(
                f"compares {left.measure} with {right.measure}; both sides need the same measure", start
            )
        self.same_place(left, right, start)
        if relation == ">=" or relation == "<=":
            self.fail(f'"{relation}" needs a figure on the right; between treatments write >, < or ~', start)
        return EqualClaim(left, right) if relation == "~" else OrderClaim(left, relation, right)

    def ratio(self, numerator: Term) -> Claim:
        start = self.skip()
        denominator = self.term()
        if not comparable(numerator.measure, denominator.measure):
            self.fail(
                f"a ratio of {numerator.measure} and {denominator.measure}; both need the same measure", start
            )
        if numerator == denominator:
            self.fail("a ratio of a thing to itself", start)
        self.same_place(numerator, denominator, start)
        relation = self.relation()
        if not self.peek(_FIGURE):
            self.fail(
                "a ratio is compared with a figure, as in 'qps[index=on]/qps[index=off] >= 1000'", self.skip()
            )
        at = self.skip()
        value = self.number()
        if value <= 0:
            self.fail("a ratio is compared with a figure above 0", at)
        self.end()
        return RatioClaim(numerator, denominator, relation, value)

    def term(self) -> Term:
        at = self.skip()
        word = self.match(_MEASURE)
        if word is None:
            self.fail("a measure is expected here, as in tps[innodb_purge_threads=4]", at)
        kind, dot, written = word.rpartition(".")
        whole = SHORT_NAMES.get(written, written)
        meant = word.replace(".", "_")  # p99.9
        if whole not in MEASURES and (not dot or meant in SHORT_NAMES or meant in MEASURES):
            self.fail(f'unknown measure "{word}"{did_you_mean(meant, MEASURES)}', at)
        if dot and whole not in OF_A_KIND:
            self.fail(f'"{written}" is not measured of a kind{did_you_mean(written, OF_A_KIND)}', at)
        self.wrote_short = written in SHORT_NAMES
        return Term(f"{kind}{dot}{whole}", self.selector() if self.take("[") else Selector())

    def selector(self) -> Selector:
        levels: dict[str, Scalar] = {}
        load: float | None = None
        kind: LoadKind = "threads"
        while True:
            at = self.skip()
            name = self.match(_WORD)
            if name is None:
                self.fail("a factor is expected here, as in [innodb_purge_threads=4, threads=64]", at)
            self.expect("=", f'"{name}" needs "=" and a level')
            value_at = self.skip()
            value = self.match(_LEVEL)
            if value is None:
                self.fail(f'a level of "{name}" is expected here', value_at)
            if name in levels or (name in LADDERS and load is not None):
                self.fail(f'"{name}" stands here twice', at)
            if name in LADDERS:
                kind = cast(LoadKind, name)
                load = self.load_point(name, value, value_at)
            else:
                levels[name] = self.unquoted(value, value_at)
            if self.take("]"):
                return Selector(tuple(levels.items()), load, kind)
            self.expect(",", 'a "," or a "]" is expected here')

    def load_point(self, name: str, value: str, at: int) -> float:
        if not _FIGURE.fullmatch(value) or not 0 < float(value) < math.inf:
            self.fail(f'{name} needs a number above 0, not "{value}"', at)
        return float(value)

    def unquoted(self, value: str, at: int) -> str:
        if not value.startswith('"'):
            return value
        try:
            return str(json.loads(value))
        except json.JSONDecodeError:
            self.fail("this quoted level is not valid; escapes are those of JSON", at)

    def same_place(self, left: Term, right: Term, at: int) -> None:
        """Load points on both sides or on neither; two kinds in the same treatments at the same load."""
        here, there = left.selector, right.selector
        alike = dict(here.levels) == dict(there.levels) and here.load == there.load
        if parted(left.measure)[0] != parted(right.measure)[0] and not alike:
            self.fail(
                f"compares {left.measure} with {right.measure} elsewhere; two kinds are compared where they"
                " ran together: write the same in [ ] on both sides",
                at,
            )
        if (left.selector.load is None) != (right.selector.load is None):
            self.fail(f"name {_load_kind(left, right)} on both sides or on neither", at)

    def relation(self) -> Relation:
        at = self.skip()
        found = self.match(_RELATION)
        if found in ("=", "==", "!="):
            self.fail(f'"{found}" is no relation here; for "the same within the margin" write ~', at)
        if found is None:
            self.fail("one of > < >= <= ~ is expected here", at)
        return cast(Relation, found)

    def figure(self, term: Term) -> float:
        """A number with its unit, in the unit of the term's measure."""
        unit = MEASURES[parted(term.measure)[1]]
        value = self.number()
        at = self.skip()
        written = self.match(_UNIT)
        if written is None:
            if self.wrote_short:
                self.fail(f"say the unit: {value:g} {unit}, or write {term.measure}", at)
            return value
        converted = in_unit(value, written.replace("µ", "u"), unit)
        if converted is None:
            self.fail(
                f'{term.measure} is not measured in "{written}"; its unit is {unit or "a plain number"}', at
            )
        return converted

    def number(self) -> float:
        at = self.skip()
        found = self.match(_FIGURE)
        if found is None or not math.isfinite(float(found)):
            self.fail("a number is expected here", at)
        return float(found)

    def end(self) -> None:
        at = self.skip()
        if at < len(self.text):
            self.fail("the claim should end here", at)

    def skip(self) -> int:
        """Passes blanks; the position of what follows."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.at

    def match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.skip())
        if found is None:
            return None
        self.at = found.end()
        return found[0]

    def peek(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self.text, self.skip()) is not None

    def take(self, mark: str) -> bool:
        found = self.text.startswith(mark, self.skip())
        self.at += len(mark) if found else 0
        return found

    def expect(self, mark: str, message: str) -> None:
        if not self.take(mark):
            self.fail(message, self.skip())

    def fail(self, message: str, at: int) -> NoReturn:
        raise ClaimSyntaxError(message, self.text, at)


def _load_kind(left: Term, right: Term) -> str:
    return (left if left.selector.load is not None else right).selector.load_kind
