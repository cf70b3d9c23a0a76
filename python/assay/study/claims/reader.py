"""The pieces of a claim's text: terms, selectors, figures with units, and complaints that say where."""

from __future__ import annotations

import json
import math
import re
from typing import Literal, NoReturn, cast

from assay.study.claims.terms import LADDERS, LoadKind, Selector, Term
from assay.study.measures import MEASURES, OF_A_KIND, SHORT_NAMES, in_unit, parted
from assay.study.nearest import did_you_mean
from assay.study.values import Scalar

Order = Literal[">", "<", ">=", "<="]
Relation = Literal[">", "<", ">=", "<=", "~"]

EVERY_RUN = re.compile(r"in\s+every\s+run\b")
_FIGURE = re.compile(r"[+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
MEASURE = re.compile(r"[0-9][A-Za-z0-9_.\-]*\.[A-Za-z_][A-Za-z0-9_]*|" + _WORD.pattern)
"""A job may begin with a digit, as in `4k_reads.iops`."""
_RELATION = re.compile(r">=|<=|==|!=|=|>|<|~")
_UNIT = re.compile(r"MiB/s|/s|%|[A-Za-zµ]+")
_LEVEL = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\[\]"=]+')


class ClaimSyntaxError(ValueError):
    """The text is not a claim. `str()` is a sentence, `at` the position, `drawing` the text with a caret."""

    def __init__(self, message: str, text: str, at: int) -> None:
        super().__init__(message)
        self.at = at
        self.drawing = f"{text}\n{' ' * at}^"


class ClaimReader:
    """Reads a claim's text from left to right; `at` is where it stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.wrote_short = False  # the last term said `p95`, not `p95_ms`

    def term(self) -> Term:
        at = self.skip()
        word = self.match(MEASURE)
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

    def figure(self, term: Term) -> float:
        """A number with its unit, in the unit of the term's measure."""
        unit = MEASURES[parted(term.measure)[1]]
        value = self.number()
        at = self.skip()
        written = None if self.peek(EVERY_RUN) else self.match(_UNIT)
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

    def relation(self) -> Relation:
        at = self.skip()
        found = self.match(_RELATION)
        if found in ("=", "==", "!="):
            self.fail(f'"{found}" is no relation here; for "the same within the margin" write ~', at)
        if found is None:
            self.fail("one of > < >= <= ~ is expected here", at)
        return cast(Relation, found)

    def relation_next(self) -> bool:
        return self.peek(_RELATION)

    def figure_next(self) -> bool:
        """Whether a number follows, and not a measure that begins with a digit."""
        return self.peek(_FIGURE) and not self.peek(MEASURE)

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
