"""Finds the formulas by which the columns of a table follow from each other, whatever the columns are called.

A formula counts where the rows show it: it gives their figures to the last digit printed, in more rows and
more digits than chance explains among all formulas that were tried.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from assay.base.numbers import plain
from assay.results.audit.figure import Figure
from assay.results.audit.metrics import is_comparison
from assay.results.audit.reading.words import in_english

Column = Sequence[Figure | None]
Values = Sequence[float]
_SCALES = (1.0, 100.0, 1e3, 1e-3, 1e6, 1e-6, 1e9, 60.0, 1 / 60.0)
"""Factors between units that a product or a quotient of two columns may have."""
_FIRST_ROWS = 3
_MOST_COLUMNS, _MOST_WITH_UNITS = 20, 16
_SCATTER, _SCATTER_FITTED = 0.1, 0.01
"""Shares by which a figure may lie off its formula by chance; columns that rise together have a nearly
constant ratio."""
_CERTAIN = 1.5
"""Powers of ten by which the digits that agree must exceed the number of formulas tried."""
_LEAST, _LEAST_FITTED = 2, 4
_BLUR = 0.002
"""Share by which a product or a quotient of means over runs differs from the mean of the products."""
_NAMED = 2.0
"""Powers of ten by which fewer formulas count where the head of the target says that others make it."""
_DERIVED = re.compile(
    r"average|avg|mean|min|max|sum|total|ratio|(?<![a-z])per(?![a-z])|/|%|pct|percent|je |pro |每|合计|总|差"
)


@dataclass(frozen=True)
class Formula:
    """How one column, `target`, follows from others; columns by their place."""

    target: int
    parts: tuple[int, ...]
    text: str  # with the names of columns as `{0}`, `{1}` …
    of: Callable[[Values], float]
    blur: float = 0.0  # the share that means over runs, or a fitted constant, leave open

    @property
    def is_fitted(self) -> bool:
        """Whether a constant of the formula comes from the rows themselves."""
        return len(self.parts) == 1

    def is_near(self, columns: Sequence[Column], row: int) -> bool:
        """Returns whether the formula gives about what the row prints: a quick look before the exact one."""
        printed, figures = columns[self.target][row], [columns[part][row] for part in self.parts]
        try:
            expected = self.of([one.value for one in figures if one is not None])
        except (ZeroDivisionError, IndexError, ValueError):
            return False
        return (
            printed is not None and abs(expected - printed.value) <= 0.5 * abs(printed.value) + printed.step
        )

    def outcome(self, columns: Sequence[Column], row: int) -> Outcome | None:
        """Returns what the formula gives in a row; None where the row lacks a figure, or nothing follows."""
        figures = [columns[part][row] for part in self.parts]
        printed = columns[self.target][row]
        if printed is None or any(one is None for one in figures):
            return None
        known = [one for one in figures if one is not None]
        try:
            expected = self.of([one.value for one in known])
            slack = sum(
                abs(
                    self.of([*_values(known[:at]), one.value + one.step / 2, *_values(known[at + 1 :])])
                    - expected
                )
                for at, one in enumerate(known)
            )
        except ZeroDivisionError:
            return None
        if not math.isfinite(expected):
            return None
        return Outcome(printed, expected, slack, self.blur * abs(expected))


@dataclass(frozen=True)
class Outcome:
    """One figure beside what its formula gives; `slack` is what the rounding of the parts leaves open."""

    printed: Figure
    expected: float
    slack: float
    blur: float  # what the formula's constant or means leave open in addition

    @property
    def room(self) -> float:
        return self.slack + self.printed.step / 2

    @property
    def is_exact(self) -> bool:
        """Whether the formula gives the print, rounded or cut off."""
        off = self.printed.value - self.expected
        return -self.room - self.printed.step / 2 <= off * (1 + 1e-9) <= self.room * (1 + 1e-9)

    @property
    def is_broken(self) -> bool:
        """Whether the print misses by more than twice what rounding explains."""
        return abs(self.printed.value - self.expected) > 2 * self.room + self.printed.step + self.blur

    def digits(self, scatter: float) -> float:
        """Returns the powers of ten by which the agreement is closer than chance would have it."""
        return max(min(math.log10(max(scatter * abs(self.expected) / max(self.room, 1e-9), 1e-9)), 4.0), 0.0)


def formulas_of(heads: Sequence[str], columns: Sequence[Column]) -> list[Formula]:
    """Returns the formulas that the rows show, at most one for each target.

    Columns that never change show nothing. Of tables with very many columns none is returned.
    """
    varied = [place for place, column in enumerate(columns) if len({one.value for one in column if one}) > 1]
    if not 2 <= len(varied) <= _MOST_COLUMNS:
        return []
    best: dict[int, tuple[float, Formula]] = {}
    some = [columns[place] for place in varied]
    every = list(_all([heads[place] for place in varied], some))
    for formula in every:
        if not _is_possible(formula, some):
            continue
        named = _NAMED if _says_derived(heads[varied[formula.target]]) else 0.0
        weight = _weight(formula, some, math.log10(len(every)) - named)
        if weight > best.get(formula.target, (0.0, formula))[0]:
            best[formula.target] = weight, formula
    return [
        replace(one, target=varied[one.target], parts=tuple(varied[part] for part in one.parts))
        for _, one in best.values()
    ]


def _says_derived(head: str) -> bool:
    english = in_english(head)
    return _DERIVED.search(english) is not None or is_comparison(english)


def _is_possible(formula: Formula, columns: Sequence[Column]) -> bool:
    """Returns whether one of the first rows keeps a formula, so that the others are worth a look."""
    return any(
        formula.is_near(columns, row) and (one := formula.outcome(columns, row)) is not None and one.is_exact
        for row in range(min(len(columns[0]), _FIRST_ROWS))
    )


def _all(heads: Sequence[str], columns: Sequence[Column]) -> Iterator[Formula]:
    places = range(len(columns))
    for first, last in itertools.combinations(places, 2):
        run = tuple(range(first, last + 1))
        for target in places:
            if target not in run:
                yield from _of_run(target, run)
            elif len(run) > 2:
                yield _rest_of_100(target, run)
    for run in _alike(heads):
        for target in set(places) - set(run):
            yield from _of_repeats(target, run)
    for target, one in itertools.permutations(places, 2):
        if fitted := _fitted(columns, target, one):
            yield fitted
    for target, one, other in itertools.permutations(places, 3):
        yield Formula(target, (one, other), "100 x ({1} / {0} - 1)", lambda at: 100 * (at[1] / at[0] - 1))
        for scale in _SCALES if len(places) <= _MOST_WITH_UNITS else (1.0,):
            yield from _scaled(target, one, other, scale)


def _alike(heads: Sequence[str]) -> list[tuple[int, ...]]:
    """Returns the columns whose heads differ in numbers alone, such as `run 1` and `run 2`."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, head in enumerate(heads):
        groups[re.sub(r"\d+", "", head)].append(place)
    return [tuple(places) for places in groups.values() if len(places) > 1]


def _of_run(target: int, run: tuple[int, ...]) -> Iterator[Formula]:
    yield Formula(target, run, " + ".join(_names(run)), sum)
    yield Formula(target, run, f"the mean of {', '.join(_names(run))}", lambda at: sum(at) / len(at))
    if len(run) == 2:
        yield Formula(target, run, "{0} - {1}", lambda at: at[0] - at[1])
        yield Formula(target, run, "{1} - {0}", lambda at: at[1] - at[0])


def _rest_of_100(target: int, run: tuple[int, ...]) -> Formula:
    others = tuple(at for at in run if at != target)
    return Formula(target, others, f"100 - {' - '.join(_names(others))}", lambda at: 100 - sum(at))


def _of_repeats(target: int, run: tuple[int, ...]) -> Iterator[Formula]:
    names = ", ".join(_names(run))
    yield Formula(target, run, f"the least of {names}", min)
    yield Formula(target, run, f"the greatest of {names}", max)
    yield Formula(target, run, f"the mean of {names}", lambda at: sum(at) / len(at))


def _names(run: Sequence[int]) -> list[str]:
    return [f"{{{at}}}" for at in range(len(run))]


def _scaled(target: int, one: int, other: int, scale: float) -> Iterator[Formula]:
    by = "" if scale == 1 else f" x {scale:g}"
    if one < other:
        yield Formula(target, (one, other), f"{{0}} x {{1}}{by}", lambda at: at[0] * at[1] * scale, _BLUR)
    yield Formula(target, (one, other), f"{{0}} / {{1}}{by}", lambda at: at[0] / at[1] * scale, _BLUR)


def _fitted(columns: Sequence[Column], target: int, one: int) -> Formula | None:
    """Returns the formula of a constant ratio, which is the median of the rows."""
    pairs = [
        (a.value / b.value, a.step / a.value + b.step / b.value)
        for a, b in zip(columns[target], columns[one], strict=True)
        if a and b and a.value > 0 and b.value > 0
    ]
    if len(pairs) < _LEAST_FITTED:
        return None
    ratio = _weighted_median([(one, 1 / max(blur, 1e-9)) for one, blur in pairs])
    if abs(ratio - 1) < _BLUR:  # equal in many rows, as a greatest value is: no formula
        return None
    return Formula(target, (one,), f"{{0}} x {plain(ratio, 6)}", lambda at: at[0] * ratio, _BLUR)


def _weighted_median(weighted: Sequence[tuple[float, float]]) -> float:
    """Returns the median in which a ratio of long figures counts for more than one of short figures."""
    below, half = 0.0, sum(weight for _, weight in weighted) / 2
    for value, weight in sorted(weighted):
        below += weight
        if below >= half:
            return value
    return max(weighted)[0]


def _weight(formula: Formula, columns: Sequence[Column], tried: float) -> float:
    """Returns how surely the rows show a formula; 0 where they do not."""
    found = [(row, one) for row in range(len(columns[0])) if (one := formula.outcome(columns, row))]
    exact = {row: one for row, one in found if one.is_exact}
    least = _LEAST_FITTED if formula.is_fitted else _LEAST
    if len(exact) < least or 2 * len(exact) <= len(found):
        return 0.0
    if not _all_count(formula, columns, exact):
        return 0.0
    values = {one.printed.value: one for one in exact.values()}  # rows with the same figure say it once
    shown = sum(one.digits(_SCATTER_FITTED if formula.is_fitted else _SCATTER) for one in values.values())
    return max(shown - tried - _CERTAIN, 0.0) if len(values) >= _LEAST else 0.0


def _all_count(formula: Formula, columns: Sequence[Column], exact: dict[int, Outcome]) -> bool:
    """Returns whether each part has its share in some row: zeros beside a copy of the target make no sum,
    and one column that is always the greatest is a copy.
    """
    if formula.is_fitted:
        return True
    return all(
        any(
            (figure := columns[part][row]) is not None
            and abs(figure.value - one.expected) > one.room
            and figure.value
            for row, one in exact.items()
        )
        for part in formula.parts
    )


def _values(figures: Sequence[Figure]) -> list[float]:
    return [one.value for one in figures]
