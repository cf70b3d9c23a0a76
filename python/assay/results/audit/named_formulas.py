"""Formulas that the heads of columns state themselves: `rows per second` are rows over seconds.

A head says what its column means, so one row that keeps such a formula to the last digit shows the units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from assay.results.audit.formulas import Column, Formula
from assay.results.audit.reading.words import in_english

_PER = re.compile(r"(?P<what>.+?)(?:[ _](?:per|je|pro|par|por)[ _])(?P<each>.+)")
_SAME = {"sec": "second", "s": "second", "time": "second", "duration": "second", "runtime": "second"}
_SAME |= {"size": "byte", "gb": "byte", "gib": "byte", "mb": "byte", "mib": "byte", "tb": "byte"}
_SAME |= {
    "benutzer": "user",
    "vu": "user",
    "benutzern": "user",
    "zeile": "row",
    "lignes": "row",
    "ligne": "row",
}
_SAME |= {"op": "operation", "txn": "transaction", "trx": "transaction"}
_POWERS = (1e3, 1024.0, 1e6, 2.0**20, 1e9, 2.0**30, 60.0)
_SCALES = (1.0, 100.0, *_POWERS, *(1 / one for one in _POWERS))
_WHOLE = {"operation", "total", "request", "querie", "query", "count"}
_KINDS = {"read", "update", "insert", "write", "scan", "delete"}
_RATIO = re.compile(r"(?<![a-z])(?:ratio|factor|speed-?up|比例|比率|verhältnis|rapport)(?![a-z])")
_LEAST_RATIOS, _MOST_COLUMNS = 3, 12
_DIGITS = 3
_BLUR = 0.002


def named_formulas(heads: Sequence[str], columns: Sequence[Column]) -> Iterator[Formula]:
    """Yields the formulas that heads such as `a per b` state, in the units that a row of the table shows."""
    words = [_words(head) for head in heads]
    yield from _sums(words, columns)
    yield from _ratios(heads, columns)
    for place, head in enumerate(heads):
        found = _PER.fullmatch(_plain(head))
        if found is None:
            continue
        whats, eaches = (_places(words, _words(found[side]), place) for side in ("what", "each"))
        shown = [
            formula
            for what in whats
            for each in eaches
            if what != each
            for scale in _SCALES
            for formula in [_quotient(place, what, each, scale)]
            if _is_shown(formula, columns)
        ]
        if len({formula.parts for formula in shown}) != 1:
            continue
        yield shown[0]
        what, each = shown[0].parts
        yield _product(place, what, each, shown[0].of((1.0, 1.0)))


def _plain(head: str) -> str:
    return re.sub(r"\s*[(\[][^)\]]*[)\]]", "", in_english(head)).strip()


def _words(head: str) -> set[str]:
    parts = [part for part in re.split(r"[\W_]+", _plain(head)) if part and not part.isdigit()]
    return {_SAME.get(stem, stem) for part in parts for stem in [part if len(part) < 3 else part.rstrip("s")]}


def _places(words: Sequence[set[str]], wanted: set[str], own: int) -> list[int]:
    """Returns the columns whose heads have all the words of a side, and state no quotient themselves."""
    quotients = {"per", "je", "pro", "par", "por"}
    return [at for at, some in enumerate(words) if at != own and wanted <= some and not some & quotients]


def _quotient(place: int, what: int, each: int, scale: float) -> Formula:
    return Formula(place, (what, each), f"{{0}} / {{1}}{_by(scale)}", lambda at: at[0] / at[1] * scale, _BLUR)


def _product(place: int, what: int, each: int, scale: float) -> Formula:
    text = f"{{0}} x {{1}}{_by(1 / scale)}"
    return Formula(what, (place, each), text, lambda at: at[0] * at[1] / scale, _BLUR)


def _sums(words: Sequence[set[str]], columns: Sequence[Column]) -> Iterator[Formula]:
    """Yields that all operations are those of each kind, where a row shows it."""
    wholes = [at for at, some in enumerate(words) if some and some <= _WHOLE]
    parts = tuple(at for at, some in enumerate(words) if some & _KINDS and some & _WHOLE and len(some) == 2)
    for whole in wholes if len(parts) > 1 else ():
        text = " + ".join(f"{{{at}}}" for at in range(len(parts)))
        if _is_shown(formula := Formula(whole, parts, text, sum), columns):
            yield formula
            for part in parts:
                rest = tuple(at for at in parts if at != part)
                of = " - ".join(f"{{{at}}}" for at in range(len(parts)))
                yield Formula(part, (whole, *rest), of, lambda at: at[0] - sum(at[1:]))


def _ratios(heads: Sequence[str], columns: Sequence[Column]) -> Iterator[Formula]:
    """Yields the one quotient of two columns that a column called a ratio has in most rows."""
    for place, head in enumerate(heads):
        if _RATIO.search(_plain(head)) is None or len(heads) > _MOST_COLUMNS:
            continue
        others = [at for at in range(len(heads)) if at != place]
        tried = [_quotient(place, what, each, 1.0) for what, each in permutations(others, 2)]
        shown = [formula for formula in tried if 2 * _kept(formula, columns) > len(columns[0])]
        if len(shown) == 1 and _kept(shown[0], columns) >= _LEAST_RATIOS:
            what, each = shown[0].parts
            yield shown[0]
            yield _product(place, what, each, 1.0)
            yield _quotient(each, what, place, 1.0)


def _kept(formula: Formula, columns: Sequence[Column]) -> int:
    """Returns how many rows keep a formula to the last of at least three digits."""
    outcomes = (formula.outcome(columns, row) for row in range(len(columns[0])))
    return sum(one is not None and one.is_exact and one.printed.digits >= _DIGITS for one in outcomes)


def _by(scale: float) -> str:
    return "" if scale == 1 else f" x {scale:g}"


def _is_shown(formula: Formula, columns: Sequence[Column]) -> bool:
    """Returns whether a row keeps a formula to the last of at least three digits."""
    return any(
        (one := formula.outcome(columns, row)) is not None
        and one.is_exact
        and one.printed.digits >= _DIGITS
        and one.room < 0.02 * abs(one.expected)
        for row in range(len(columns[0]))
    )
