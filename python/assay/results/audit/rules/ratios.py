"""Finds rows in which the ratio of two metrics differs from the rest of the table, and which metric is
wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from assay.base.numbers import plain
from assay.results.audit.identity import LEAST_ROWS, Sum, broken, constant_ratio, nearly
from assay.results.audit.model import Cell, Finding, Levels, Material, at
from assay.results.audit.signs import second_sign

Pair = tuple[Cell, Cell]
_MANY_EXACT, _CERTAIN = 10, 0.001
"""Rows that must keep an identity to the last digit before a miss of less than 1 % is a finding, and the
least share that it then has."""
_IMPOSSIBLE = 0.0001
"""The least share by which there must be fewer queries than the transactions need: no retry makes fewer."""
_CLEAR, _NO_RETRIES = 0.02, 0.25
"""Shares by which a ratio must be too low, or too high, for the digits of the other rows to speak against it:
statements of transactions that are tried again make it higher."""


def pairs_of(rows: Sequence[Pair]) -> list[Sum[Pair]]:
    """Returns the sums of `second = c * first` over these rows, without series that have a ratio of their
    own: they are of another workload.
    """
    sums = constant_ratio(((one, other), one.figure, other.figure) for one, other in rows)
    series: dict[Levels, list[Sum[Pair]]] = defaultdict(list)
    for one in sums:
        series[one.where[0].levels].append(one)
    is_other = {
        levels for levels, some in series.items() if len(some) > 1 and not any(one.kept for one in some)
    }
    return [one for one in sums if one.where[0].levels not in is_other]


def broken_ratio(material: Material, rule: str, what: str, sums: Sequence[Sum[Pair]]) -> Iterator[Finding]:
    """Yields a finding for each row whose ratio is not the table's; a note where it misses by less than 1
    %.
    """
    good = sum(one.kept for one in sums)
    exact = sum(one.exact for one in sums)
    for miss in broken(sums):
        sign = f"{what} in {good} of {len(sums)} rows; here {100 * miss.off:+.1f} %"
        by_digits = (
            exact >= LEAST_ROWS and 2 * exact > len(sums) and (miss.off < -_CLEAR or miss.off > _NO_RETRIES)
        )
        fallback = f"{exact} rows keep it to the last digit" if by_digits else ""
        yield blamed(material, rule, miss, sign, fallback)
    for miss in nearly(sums):
        ratio = f"{what} to the last digit in {exact} of {len(sums)} rows; here {100 * miss.off:+.2f} %"
        rounding = sum(one.figure.step / one.value for one in miss.where)
        least = max(_IMPOSSIBLE, 3 * rounding) if miss.off < 0 else _CERTAIN
        known = exact >= _MANY_EXACT and abs(miss.off) > least and _is_whole(miss)
        second = "no rounding explains it" if known else ""
        yield at(
            miss.where[1],
            rule,
            "warning",
            "medium",
            expected=plain(miss.expected, 8),
            sign=ratio,
            second_sign=second,
        )


def _is_whole(one: Sum[Pair]) -> bool:
    """Returns whether the constant is a whole number, which the rounding of the table does not blur."""
    ratio = one.expected / one.where[0].value
    return ratio >= 1 and abs(ratio - round(ratio)) < _CERTAIN / 10 * ratio


def blamed(material: Material, rule: str, miss: Sum[Pair], sign: str, fallback: str = "") -> Finding:
    """Returns the finding about the one of two cells that other signs contradict; `fallback` is a second sign
    about both.
    """
    first, second = miss.where
    ratio = miss.expected / first.value if first.value else 0.0
    if not ratio:
        return at(second, rule, "error", "high", expected=plain(miss.expected, 6), sign=sign)
    slack = second.figure.step / 2 / ratio
    other = second.value / ratio
    of_first = second_sign(material, first, other, other - slack, other + 2 * slack)
    of_second = second_sign(material, second, miss.expected, miss.low, miss.high)
    wrong_first = bool(of_first) and (not of_second or _odder(material, first, second))
    if wrong_first:
        return at(first, rule, "error", "high", expected=plain(other, 6), sign=sign, second_sign=of_first)
    return at(
        second,
        rule,
        "error",
        "high",
        expected=plain(miss.expected, 6),
        sign=sign,
        second_sign=of_second or fallback,
    )


def _odder(material: Material, first: Cell, second: Cell) -> bool:
    from assay.results.audit.signs import company

    one, other = company(material, first), company(material, second)
    return one is not None and other is not None and abs(one.off) > abs(other.off)
