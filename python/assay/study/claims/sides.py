"""What stands on one side of a relation: a term, an expression of terms, an extreme along axes, a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.study.claims.axes import Axis
from assay.study.claims.terms import Term
from assay.study.values import level_text


@dataclass(frozen=True)
class Quotient:
    """`qps[index=on]/qps[index=off]`: how many times as much, block by block."""

    numerator: Term
    denominator: Term

    def __str__(self) -> str:
        return f"{self.numerator} / {self.denominator}"


@dataclass(frozen=True)
class Difference:
    """`tps[a=4] - tps[a=1]`: how much more, block by block; of terms in their unit, or of two ratios."""

    left: Term | Quotient
    right: Term | Quotient

    def __str__(self) -> str:
        return f"{self.left} - {self.right}"


@dataclass(frozen=True)
class Extreme:
    """`max tps over threads`: the largest or smallest value along axes, all combinations of their points.

    `spread` is (largest - smallest) / smallest, in per cent.
    """

    word: Literal["max", "min", "spread"]
    term: Term
    axes: tuple[Axis, ...]

    def __str__(self) -> str:
        return f"{self.word} {self.term} over {', '.join(map(str, self.axes))}"


@dataclass(frozen=True)
class Figure:
    """A number: in the unit of the measure that it is held against, for a spread in per cent, for a quotient
    without a unit."""

    value: float

    def __str__(self) -> str:
        return level_text(self.value)


Side = Term | Quotient | Difference | Extreme | Figure


@dataclass(frozen=True)
class Band:
    """`by 50 %`, `by 0 to 5 %`, `by 2 x`: how far apart the greater and the lesser are.

    `%` is how much the greater is above the lesser, `x` how many times it is as much. `high` None: no end.
    """

    low: float
    high: float | None = None
    unit: Literal["%", "x"] = "%"

    @property
    def ratios(self) -> tuple[float, float | None]:
        """The greater divided by the lesser: at least, at most."""
        if self.unit == "x":
            return self.low, self.high
        return 1 + self.low / 100, None if self.high is None else 1 + self.high / 100

    def __str__(self) -> str:
        to = "" if self.high is None else f" to {level_text(self.high)}"
        return f"by {level_text(self.low)}{to} {self.unit}"
