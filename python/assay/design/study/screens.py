"""Makes screens: designs that vary many factors together in few treatments, each balanced over the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING

from assay.design.study.claims.axes import ordered
from assay.design.study.values import Scalar

if TYPE_CHECKING:
    from assay.design.study.model.design import Design
    from assay.design.study.model.factor import Factor

LEAST_FACTORS, MOST_FACTORS = 3, 47
TREATMENTS = 24
"""Treatments of a Latin hypercube whose study names no number."""
_EXCHANGES = 4000

Signs = tuple[tuple[int, ...], ...]
"""Rows of -1 (first level) and 1 (second level), a column a factor."""


def screen_rows(design: Design, factors: Sequence[Factor]) -> tuple[dict[str, Scalar], ...]:
    """Returns the levels of every treatment of a screen by the full names of the factors, in order."""
    if design.kind == "plackett-burman":
        places = [
            [sign > 0 for sign in row] for row in plackett_burman(len(factors), fold_over=design.fold_over)
        ]
    else:
        count = design.treatments or TREATMENTS
        places = latin_hypercube(tuple(len(one.levels) for one in factors), count, design.seed or 0)  # type: ignore[assignment]
    return tuple(
        {factor.name: factor.levels[place] for factor, place in zip(factors, row, strict=True)}
        for row in places
    )


def factor_labels(factors: Sequence[Factor]) -> dict[str, str]:
    """Returns the last part of each factor's name, or the full name where two factors share a last part."""
    count = Counter(factor.short_name for factor in factors)
    return {
        factor.name: factor.short_name if count[factor.short_name] == 1 else factor.name for factor in factors
    }


def is_scaled(factor: Factor) -> bool:
    """Returns whether a screen treats the levels as equal steps on one line: three or more levels with an
    order.
    """
    return len(factor.levels) > 2 and ordered(factor.levels)


def row_name(number: int) -> str:
    """Returns the name of a screen's treatment, which has too many levels to be named by them."""
    return f"row {number}"


def plackett_burman(factors: int, *, fold_over: bool) -> Signs:
    """Returns the smallest design of Plackett and Burman (1946) that holds so many factors.

    The first row has all first levels. Folded over, every row stands beside its mirror image, and no main
    effect is mixed with an interaction of two factors (Box, Wilson 1951).
    """
    rows = hadamard(hadamard_size(factors))
    # Signs of columns are free: those are chosen that make the first row the baseline.
    signs = tuple(tuple(-row[column] * rows[0][column] for column in range(1, factors + 1)) for row in rows)
    return signs + tuple(tuple(-sign for sign in row) for row in signs) if fold_over else signs


def hadamard_size(factors: int) -> int:
    """Returns the smallest multiple of four above the number of factors: the mean takes one column."""
    return 4 * (factors // 4 + 1)


@lru_cache(maxsize=16)
def hadamard(size: int) -> Signs:
    """Returns a matrix of -1 and 1 with orthogonal rows and a first column of one sign.

    Paley's (1933) two constructions over prime fields, and Sylvester's (1867) doubling: together they reach
    every multiple of four up to 48. Raises ValueError for a size that they do not reach.
    """
    if size == 1:
        return ((1,),)
    if _is_prime(size - 1) and (size - 1) % 4 == 3:
        field = size - 1
        core = [[_legendre(i - j, field) - (i == j) for j in range(field)] for i in range(field)]
        return ((1,) * size, *((1, *row) for row in core))
    half = size // 2
    if _is_prime(half - 1) and (half - 1) % 4 == 1:
        return _one_sign(_paley_of_twice(half))
    if size % 2 == 0 and (size == 2 or half % 4 == 0 or half == 2):
        smaller = hadamard(half)
        return tuple(row + row for row in smaller) + tuple(row + tuple(-x for x in row) for row in smaller)
    raise ValueError(f"no Hadamard matrix of size {size} is known here")


def _paley_of_twice(half: int) -> Signs:
    """Returns the matrix of Paley's second construction, made of a conference matrix of this size."""
    field = half - 1
    conference = [
        [0 if i == j else 1 if not i or not j else _legendre(i - j, field) for j in range(half)]
        for i in range(half)
    ]
    zero, one = ((1, -1), (-1, -1)), ((1, 1), (1, -1))
    return tuple(
        tuple(
            zero[part][other] if not entry else entry * one[part][other]
            for entry in row
            for other in range(2)
        )
        for row in conference
        for part in range(2)
    )


def _one_sign(rows: Signs) -> Signs:
    return tuple(tuple(row[0] * entry for entry in row) for row in rows)


def _legendre(number: int, prime: int) -> int:
    """Returns 1 for a square in the field, -1 for any other number, and 0 for zero."""
    power = pow(number, (prime - 1) // 2, prime)
    return -1 if power == prime - 1 else power


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


@lru_cache(maxsize=16)
def latin_hypercube(levels: tuple[int, ...], count: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """Returns the number of each factor's level, a row a treatment; levels of a factor occur equally often.

    The seed draws the columns (McKay, Beckman, Conover 1979) and then exchanges within a column; those that
    bring the columns' correlations nearer to zero are kept (after Owen 1994), for factors that move together
    cannot be told apart.
    """
    chance = random.Random(f"{seed}/hypercube")
    columns = [_column(of, count, chance) for of in levels]
    scaled = [_scaled(column) for column in columns]
    products = [[sum(map(mul, one, other)) for other in scaled] for one in scaled]
    for _ in range(_EXCHANGES):
        at = chance.randrange(len(columns))
        one, other = chance.randrange(count), chance.randrange(count)
        column, moved = scaled[at], scaled[at][other] - scaled[at][one]
        changed = [
            products[at][of] + moved * (scaled[of][one] - scaled[of][other]) for of in range(len(columns))
        ]
        changed[at] = products[at][at]
        if sum(x * x for x in changed) < sum(x * x for x in products[at]) - 1e-12:
            column[one], column[other] = column[other], column[one]
            columns[at][one], columns[at][other] = columns[at][other], columns[at][one]
            products[at] = changed
            for of, product in enumerate(changed):
                products[of][at] = product
    return tuple(zip(*columns, strict=True))


def _column(levels: int, count: int, chance: random.Random) -> list[int]:
    """Returns every level equally often in random order; `chance` draws those that occur once more."""
    column = list(range(levels)) * (count // levels) + chance.sample(range(levels), count % levels)
    chance.shuffle(column)
    return column


def _scaled(column: Sequence[int]) -> list[float]:
    """Returns the column with mean 0 and length 1."""
    mean = sum(column) / len(column)
    length = sum((one - mean) ** 2 for one in column) ** 0.5
    return [(one - mean) / length for one in column]
