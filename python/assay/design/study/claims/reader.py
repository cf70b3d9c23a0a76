"""Reads the pieces of a claim's text (terms, selectors, figures with units), and reports errors with their
position.
"""

from __future__ import annotations

import json
import math
import re
from typing import Literal, NoReturn, cast

from assay.design.study.claims.terms import (
    LADDERS,
    OF_RUNS,
    STATISTICS,
    Among,
    LoadKind,
    Selector,
    Statistic,
    Summary,
    Term,
)
from assay.design.study.measures import MEASURES, OF_A_KIND, SHORT_NAMES, in_unit
from assay.design.study.nearest import did_you_mean
from assay.design.study.values import Scalar, parse_duration_s

Relation = Literal[">", "<", ">=", "<=", "~", "!~"]

EVERY_RUN = re.compile(r"in\s+every\s+run\b")
OF_THE_RUNS = re.compile(r"%\s*of\s+(?:all\s+|the\s+)?runs\b")
_FIGURE = re.compile(r"[+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_JOINT = re.compile(r"(?:and|or)\b")
_OR = re.compile(r"\|")
_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
MEASURE = re.compile(r"[0-9][A-Za-z0-9_.\-]*\.[A-Za-z_][A-Za-z0-9_]*|" + _WORD.pattern)
"""A job may begin with a digit, as in `4k_reads.iops`."""
_RELATION = re.compile(r">=|<=|==|!=|!~|=|>|<|~")
KEYWORDS = ("and", "or", "at", "in", "by", "before", "after", "over", "rises", "falls", "is", "per")
"""Words that join the pieces of a claim; no unit is called so."""
_NO_KEYWORD = rf"(?!(?:{'|'.join(KEYWORDS)})\b)"
_UNIT = re.compile(rf"MiB/s|MB/s|/s|/min|%|{_NO_KEYWORD}[A-Za-zµ]+")
_LEVEL = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\[\]"=|]+')
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6}
_RUNS = re.compile(r"runs\b")
_PER = re.compile(r"per\s+(?:query|transaction|s)\b")
_TIME = re.compile(r"\d+(?:\.\d+)?(?:ms|s|m|h)\b")


class ClaimSyntaxError(ValueError):
    """Raised when a text is not a claim. `str()` is a sentence, `at` the position, `drawing` the text with a
    caret.
    """

    def __init__(self, message: str, text: str, at: int) -> None:
        super().__init__(message)
        self.at = at
        self.drawing = f"{text}\n{' ' * at}^"


class ClaimReader:
    """Reads a claim's text from left to right; `at` is the current position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.wrote_short = False  # the last term said `p95`, not `p95_ms`
        self.early = Selector()  # of a counter, between its name and "per"
        self.wrote_window = False  # a side before has its own part of the window

    def term(self) -> Term:
        """Reads a measure with its summary and its selector, in any order."""
        self.early = Selector()
        measure = self.measure()
        summary = self.summary() if self.take("(") else None
        selector = self.early
        if selector == Selector() and self.take("["):
            selector = self.selector()
        if summary is None and self.take("("):
            summary = self.summary()
        return Term(measure, selector, summary)

    def measure(self) -> str:
        at = self.skip()
        word = self.match(MEASURE)
        if word is None:
            self.fail("expected a measure, as in tps[innodb_purge_threads=4]", at)
        kind, dot, written = word.rpartition(".")
        whole = SHORT_NAMES.get(written, written)
        meant = word.replace(".", "_")  # p99.9
        of, _, name = word.partition(".")
        self.wrote_short = False
        if of in ("status", "fact") and name and whole not in OF_A_KIND:
            return word if of == "fact" else self.counter(word)
        if word in STATISTICS and word not in SHORT_NAMES and self.peek(MEASURE):
            self.fail(
                f'"{word}" stands behind its measure: tps({word}, 1s) of the seconds of a run'
                + (f", tps({word}, runs) of the runs" if word in OF_RUNS else ""),
                at,
            )
        if whole not in MEASURES and (not dot or meant in SHORT_NAMES or meant in MEASURES):
            self.fail(f'unknown measure "{word}"{did_you_mean(meant, MEASURES)}', at)
        if dot and whole not in OF_A_KIND:
            self.fail(f'"{written}" is not a measure of one kind{did_you_mean(written, OF_A_KIND)}', at)
        self.wrote_short = written in SHORT_NAMES
        return f"{kind}{dot}{whole}"

    def counter(self, name: str) -> str:
        if self.take("["):
            self.early = self.selector()
        at = self.skip()
        per = self.match(_PER)
        if per is None:
            self.fail(
                f'{name} is a counter: say "per query", "per transaction" or "per s" after it',
                at,
            )
        return f"{name} {' '.join(per.split())}"

    def summary(self) -> Summary:
        at = self.skip()
        word = self.match(_WORD)
        if word not in STATISTICS:
            self.fail(
                f'"{word or ""}" is not a statistic of a course{did_you_mean(word or "", STATISTICS)}', at
            )
        self.expect(",", 'expected a "," and the length of one value, as in (cv, 10s), or "runs"')
        seconds = None if self.match(_RUNS) else self.duration()
        if seconds is None and word not in OF_RUNS:
            self.fail(
                f'"{word}" over runs is said by "in every run"; (cv, runs) and (sd, runs) are spreads', at
            )
        self.expect(")", 'expected a ")"')
        return Summary(cast(Statistic, word), seconds)

    def duration(self) -> float:
        """Reads a length of time, and returns seconds."""
        at = self.skip()
        written = self.match(_TIME)
        if written is None or not (seconds := parse_duration_s(written)) > 0:
            self.fail("expected a length of time, as in 10s, 500ms, 10m", at)
        return seconds

    def selector(self) -> Selector:
        levels: dict[str, Scalar | Among] = {}
        load: float | None = None
        kind: LoadKind = "threads"
        while True:
            at = self.skip()
            name = self.match(_WORD)
            if name is None:
                self.fail("expected a factor, as in [innodb_purge_threads=4, threads=64]", at)
            self.expect("=", f'"{name}" needs "=" and a level')
            value_at = self.skip()
            value = self.match(_LEVEL)
            if value is None:
                self.fail(f'expected a level of "{name}"', value_at)
            if name in levels or (name in LADDERS and load is not None):
                self.fail(f'"{name}" is given twice', at)
            if name in LADDERS:
                kind = cast(LoadKind, name)
                load = self.load_point(name, value, value_at)
            else:
                levels[name] = self.level(name, value, value_at)
            if self.take("]"):
                return Selector(tuple(levels.items()), load, kind)
            self.expect(",", 'expected "," or "]"')

    def level(self, name: str, first: str, at: int) -> Scalar | Among:
        """Reads one level, several (`2|4`), `other`, or `some`."""
        if first == "other":
            return Among("other")
        if first == "some":
            return Among("some")
        found: list[Scalar] = [self.unquoted(first, at)]
        while self.take("|"):
            at = self.skip()
            value = self.match(_LEVEL)
            if value is None:
                self.fail(f'expected a level of "{name}"', at)
            found.append(self.unquoted(value, at))
            if found.count(found[-1]) > 1:
                self.fail(f'"{found[-1]}" is given twice', at)
        return found[0] if len(found) == 1 else Among("or", tuple(found))

    def load_point(self, name: str, value: str, at: int) -> float:
        several = value in ("some", "other") or self.peek(_OR)
        if several or not _FIGURE.fullmatch(value) or not 0 < float(value) < math.inf:
            hint = f"; for several write at {name} = 8|64, or at some {name} >= 8" if several else ""
            self.fail(f'{name} needs a number above 0, not "{value}"{hint}', at)
        return float(value)

    def unquoted(self, value: str, at: int) -> str:
        if not value.startswith('"'):
            return value
        try:
            return str(json.loads(value))
        except json.JSONDecodeError:
            self.fail("this quoted level is not valid; escapes are those of JSON", at)

    def figure(self, measure: str, unit: str) -> float:
        """Reads a number with its unit, and returns it in the unit of the measure it is compared with."""
        value = self.number()
        return self.in_unit(value, *self.unit(), measure, unit, short=self.wrote_short)

    def unit(self) -> tuple[str | None, int]:
        """Reads a unit; returns it, or None without one, and its position."""
        at = self.skip()
        return self.match(_UNIT), at

    def in_unit(
        self, value: float, written: str | None, at: int, measure: str, unit: str, *, short: bool
    ) -> float:
        """Returns a number in the measure's own unit. `short`: the measure was named without its unit
        (`p95`).
        """
        if written is None:
            if short:
                self.fail(f"the unit is missing: write {value:g} {unit}, or {measure}", at)
            return value
        if written in _THOUSANDS:
            self.fail(f"write the number in full: {value * _THOUSANDS[written]:.0f}", at)
        converted = in_unit(value, written.replace("µ", "u"), unit)
        if converted is None:
            self.fail(f'{measure} is not measured in "{written}"; its unit is {unit or "a plain number"}', at)
        return converted

    def relation(self) -> Relation:
        at = self.skip()
        found = self.match(_RELATION)
        if found == "!=":
            self.fail('"!=" is not a relation; for "different beyond the margin" write !~', at)
        if found in ("=", "=="):
            self.fail(f'"{found}" is not a relation; for "the same within the margin" write ~', at)
        if found is None:
            self.fail("expected one of > < >= <= ~ !~", at)
        return cast(Relation, found)

    def relation_next(self) -> bool:
        return self.peek(_RELATION)

    def figure_next(self) -> bool:
        """Returns whether a number follows, and not a measure that begins with a digit."""
        return self.peek(_FIGURE) and not self.peek(MEASURE)

    def number(self) -> float:
        at = self.skip()
        found = self.match(_FIGURE)
        if found is None or not math.isfinite(float(found)):
            self.fail("expected a number", at)
        return float(found)

    def end(self) -> None:
        at = self.skip()
        if self.peek(_JOINT):
            self.fail(
                "a place and a part of the window are of the whole claim, and stand at its end; write several"
                ' claims, as in claims = ["…", "…"]',
                at,
            )
        if at < len(self.text):
            self.fail("the claim should end here", at)

    def skip(self) -> int:
        """Skips blanks; returns the position of what follows."""
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
