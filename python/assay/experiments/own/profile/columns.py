"""Statistics of the values of a column, which hold none of them."""

from __future__ import annotations

import hashlib
import hmac
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from assay.base.format.job import (
    ColumnProfile,
    DateValueForm,
    DecimalValueForm,
    FloatValueForm,
    MomentValueForm,
    TimeValueForm,
    TopValue,
    ValueForm,
    ValueRange,
    WholeValueForm,
)
from assay.design.data_profile import units
from assay.experiments.own.profile.catalogue import SourceColumn
from assay.experiments.own.profile.sampling import ReadText

FEWEST = 20
"""Rows of the smallest group that is told from others: rarer values are counted together."""
_RANGES = 100
_STEPS = 500
_OUTER = 0.05
"""Share of the rows at either end that the step does not look at."""
"""Steps of a range of values, to which ends are rounded."""
_KEY_RANGES = 20
_DENSE = 0.9
"""Share of the numbers between the ends of a key that rows have, from which on the key counts the rows."""
_LENGTHS = 32
_TOP = 64
_TOP_SHARE = 0.002
_GROWING_SHARE, _GROWING_LEAST = 0.1, 100
_COMPRESSED_BYTES = 1 << 18
_WHOLE_DIGITS = 3
_MOST_DIGITS = 18
_ORDER_LEAST = 0.05
_RANKED = 20_000


@dataclass(frozen=True)
class Reading:
    """How columns are read: `key` of hashes, which nobody keeps; `keep` are columns whose values may be in
    the file; `known` is the share of the table's rows that were read.
    """

    key: bytes
    keep: frozenset[str]
    known: float

    def hash_of(self, text: ReadText) -> int:
        identity = text.identity.encode() if isinstance(text.identity, str) else text.identity
        return int.from_bytes(hmac.digest(self.key, identity, hashlib.sha256)[:8], "big")


def column_profile(
    table: str, column: SourceColumn, values: Sequence[Any], reading: Reading, *, unique: bool
) -> ColumnProfile:
    """Returns the statistics of a column from the values of rows in order; `unique`: no two rows have one."""
    filled = [value for value in values if value is not None]
    column = _counted_in_64_bits(column, filled)
    nulls = 1 - len(filled) / len(values) if values else 0.0
    kept = f"{table}.{column.name}" in reading.keep
    made = (
        _of_texts(column, filled, reading, kept, unique=unique)
        if column.is_text
        else _of_numbers(column, filled, reading, kept, unique=unique)
    )
    distinct = sum(one.distinct for one in made.ranges) + len(made.top)
    grows = unique or (
        not column.is_enumeration
        and distinct >= _GROWING_LEAST
        and distinct > _GROWING_SHARE * len(filled) / max(reading.known, 1e-9)
    )
    order = 0.0 if unique else _rank_correlation(filled)
    return ColumnProfile(
        name=column.name,
        form=column.form,
        nulls=round(nulls, 6),
        order=order if abs(order) >= _ORDER_LEAST else 0.0,
        grows=grows,
        ranges=made.ranges,
        top=made.top,
        compressed=made.compressed,
    )


@dataclass
class _Made:
    ranges: list[ValueRange]
    top: list[TopValue]
    compressed: float = 1.0


def _of_numbers(
    column: SourceColumn, values: Sequence[Any], reading: Reading, kept: bool, *, unique: bool
) -> _Made:
    counted = Counter(_unit(column.form, value) for value in values)
    if not counted:
        return _Made([], [])
    scale = 1 / reading.known if unique else _distinct(counted, reading.known) / len(counted)
    step = 1 if kept or column.is_enumeration else _step(column.form, *_middle(counted))
    cells: dict[int, list[int]] = {}
    hot: list[tuple[int, int]] = []
    total = len(values)
    target = max(FEWEST, total // (_KEY_RANGES if unique else _RANGES))
    for value in sorted(counted):
        count = counted[value]
        if step > 1 and count >= target:
            hot.append((value // step, count))
            continue
        cell = cells.setdefault(value // step, [0, 0])
        cell[0] += count
        cell[1] += 1
    merged = _merged(cells, target)
    least = 1 if min(counted) > 0 else None
    if unique and len(merged) > 1 and len(counted) >= _DENSE * (max(counted) - min(counted) + 1):
        merged = [(merged[0][0], merged[-1][1], total, len(counted))]  # a number in a row for each row
    ranges = []
    for first, last, rows, distinct in merged:
        low, high = first * step, (last + 1) * step - 1
        low = low if least is None else max(low, least)  # what counts from 1 has no 0
        most = high - low + 1
        ranges.append(_range(low, high, rows / total, min(most, max(1, round(distinct * scale)))))
    ranges += _apart(hot, step, total)
    ranges.sort(key=lambda one: (one.from_, one.to))
    return _Made([_within(column, one) for one in ranges], [])


def _middle(counted: Mapping[int, int]) -> tuple[int, int]:
    """Returns the ends of the middle nine tenths of the rows: a few far values make no step larger."""
    values = sorted(counted)
    rows, sums = sum(counted.values()), 0
    low = high = values[0]
    for value in values:
        low = value if sums <= rows * _OUTER else low
        high = value
        sums += counted[value]
        if sums >= rows * (1 - _OUTER):
            break
    return low, high


def _apart(hot: Sequence[tuple[int, int]], step: int, total: int) -> list[ValueRange]:
    """Returns ranges for frequent values, by the cell of each: those of one cell have a part of it each."""
    of_cell: dict[int, list[int]] = {}
    for cell, count in hot:
        of_cell.setdefault(cell, []).append(count)
    return [
        _range(
            cell * step + step * at // len(counts),
            cell * step + step * (at + 1) // len(counts) - 1,
            count / total,
            1,
        )
        for cell, counts in of_cell.items()
        for at, count in enumerate(counts)
    ]


def _merged(cells: dict[int, list[int]], target: int) -> list[tuple[int, int, int, int]]:
    """Returns neighbouring cells together, until they have so many rows: first, last, rows, values. A cell
    that has as many alone stands alone.
    """
    found: list[tuple[int, int, int, int]] = []
    current: tuple[int, int, int, int] | None = None
    for cell, (rows, distinct) in cells.items():
        if current is not None and rows >= target:
            found.append(current)
            current = None
        first, _, before, values = current or (cell, cell, 0, 0)
        current = (first, cell, before + rows, values + distinct)
        if current[2] >= target:
            found.append(current)
            current = None
    if current is not None:
        found.append(current)
    # Too few rows to be told apart go with their neighbours.
    at = 0
    while len(found) > 1 and at < len(found):
        if found[at][2] >= FEWEST:
            at += 1
            continue
        other = at - 1 if at else 1
        low, high = sorted((at, other))
        one, two = found[low], found[high]
        found[low : high + 1] = [(one[0], two[1], one[2] + two[2], one[3] + two[3])]
        at = low
    return found


def _of_texts(
    column: SourceColumn, values: Sequence[ReadText], reading: Reading, kept: bool, *, unique: bool
) -> _Made:
    if not values:
        return _Made([], [])
    total = len(values)
    counted = Counter((value.identity, value.length) for value in values)
    samples = {(value.identity, value.length): value for value in values}
    least = max(FEWEST, round(total * _TOP_SHARE))
    frequent = [] if unique else [one for one in counted.most_common(_TOP) if one[1] >= least]
    top = []
    for identity, count in frequent:
        value = samples[identity]
        shown = (
            value.shown if kept and isinstance(value.shown, str) and value.identity == value.shown else None
        )
        top.append(
            TopValue(
                share=round(count / total, 8), length=value.length, hash=reading.hash_of(value), value=shown
            )
        )
    known = {identity for identity, _ in frequent}
    rest = Counter({identity: count for identity, count in counted.items() if identity not in known})
    scale = 1.0
    if rest:
        scale = 1 / reading.known if unique else _distinct(rest, reading.known) / len(rest)
    lengths: dict[int, list[int]] = {}
    for identity in sorted(rest, key=lambda one: one[1]):
        cell = lengths.setdefault(identity[1], [0, 0])
        cell[0] += rest[identity]
        cell[1] += 1
    target = FEWEST if len(lengths) <= _LENGTHS else max(FEWEST, total // _LENGTHS)
    ranges = [
        _range(first, last, rows / total, max(1, round(distinct * scale)))
        for first, last, rows, distinct in _merged(lengths, target)
    ]
    return _Made(ranges, top, _compressed(samples.values()))


def _compressed(values: Any) -> float:
    """Returns the size of texts after compression, as a share of that before."""
    parts, size = [], 0
    for value in values:
        part = value.shown.encode() if isinstance(value.shown, str) else value.shown
        parts.append(part)
        size += len(part)
        if size >= _COMPRESSED_BYTES:
            break
    if not size:
        return 1.0
    return round(min(1.0, len(zlib.compress(b"".join(parts))) / size), 2)


def _range(low: int, high: int, share: float, distinct: int) -> ValueRange:
    return ValueRange(from_=low, to=high, share=round(share, 8), distinct=distinct)


def _counted_in_64_bits(column: SourceColumn, values: Sequence[Any]) -> SourceColumn:
    """Returns the column with fewer digits after the point, where its values have too many before it."""
    form = column.form
    if not isinstance(form, (DecimalValueForm, FloatValueForm)) or not values:
        return column
    before = len(str(abs(int(max(values, key=abs)))))
    digits = min(form.digits, _MOST_DIGITS - before)
    if digits == form.digits:
        return column
    if isinstance(form, FloatValueForm):
        return replace(column, form=FloatValueForm(digits=digits))
    limits, digits = column.limits, max(0, digits)
    if limits is not None:
        gone = int(10 ** (form.digits - digits))
        limits = (-(-limits[0] // gone), limits[1] // gone)
    return replace(column, form=DecimalValueForm(digits=digits), limits=limits)


def _within(column: SourceColumn, one: ValueRange) -> ValueRange:
    """Returns a range without what rounding has put beyond the limits of the type."""
    form = column.form
    limits = (form.least, form.most) if isinstance(form, WholeValueForm) else column.limits
    if limits is None:
        return one
    low, high = max(one.from_, limits[0]), min(one.to, limits[1])
    return ValueRange(from_=low, to=max(low, high), share=one.share, distinct=one.distinct)


def _unit(form: ValueForm, value: Any) -> int:
    if isinstance(form, (DateValueForm, MomentValueForm, TimeValueForm, WholeValueForm)):
        return int(value)  # the server has counted them
    return units(form, value if isinstance(value, (int, float)) else Decimal(value))


def _step(form: ValueForm, low: int, high: int) -> int:
    """Returns what the ends of ranges are rounded to: a round part of the whole range, or of its only
    value.
    """
    span = high - low
    if span == 0:
        digits = len(str(abs(high)))
        return int(10 ** max(0, digits - _WHOLE_DIGITS))
    most = span // _STEPS
    if isinstance(form, (MomentValueForm, TimeValueForm)):
        second = 10**form.digits
        steps = [second * one for one in (1, 10, 60, 600, 3600, 6 * 3600, 86_400, 10 * 86_400, 100 * 86_400)]
        return max([one for one in steps if one <= most], default=1)
    if isinstance(form, DateValueForm):
        return max([one for one in (1, 7, 30, 365) if one <= most], default=1)
    return int(10 ** (len(str(most)) - 1)) if most >= 1 else 1


def _distinct(counted: Counter[Any], known: float) -> float:
    """Returns how many different values the whole column has, from those of a share of its rows (Haas and
    Stokes 1998, the estimator that PostgreSQL uses).
    """
    if known >= 1:
        return len(counted)
    rows = sum(counted.values())
    once = sum(count == 1 for count in counted.values())
    whole = rows / known
    return min(whole, rows * len(counted) / max(1e-9, rows - once + once * rows / whole))


def _rank_correlation(values: Sequence[Any]) -> float:
    """Returns Spearman's correlation of values with their order; equal values share a rank. Of many values it
    takes some, evenly spread: their correlation is that of all but for about one hundredth.
    """
    values = values[:: len(values) // _RANKED + 1]
    count = len(values)
    if count < FEWEST:
        return 0.0
    keys = [value.shown if isinstance(value, ReadText) else value for value in values]
    by_value = sorted(range(count), key=lambda at: keys[at])
    ranks = [0.0] * count
    at = 0
    while at < count:
        end = at
        while end + 1 < count and keys[by_value[end + 1]] == keys[by_value[at]]:
            end += 1
        for place in range(at, end + 1):
            ranks[by_value[place]] = (at + end) / 2
        at = end + 1
    mean = (count - 1) / 2
    spread = sum((rank - mean) ** 2 for rank in ranks)
    if spread == 0:
        return 0.0
    places = (count**3 - count) / 12
    together = sum((place - mean) * (rank - mean) for place, rank in enumerate(ranks))
    return float(round(together / (spread * places) ** 0.5, 4))
