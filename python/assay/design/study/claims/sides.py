"""The sides of a relation: a term, an expression of terms, an extreme along axes, a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.design.study.claims.axes import Axis
from assay.design.study.claims.terms import Term
from assay.design.study.values import level_text


@dataclass(frozen=True)
class Quotient:
    """A ratio of two terms block by block: of one measure of two treatments, `qps[index=on]/qps[index=off]`,
    or of two measures at one place, `p99_ms/p50_ms`.
    """

    numerator: Term
    denominator: Term

    @property
    def measures(self) -> tuple[str, str]:
        """Both measures with their summaries, as the claim writes them."""
        above, below = (f"{of.measure}{of.summary or ''}" for of in (self.numerator, self.denominator))
        return above, below

    @property
    def of_measures(self) -> bool:
        """Whether it is a measure made of two, such as a hit rate."""
        return len(set(self.measures)) > 1

    def __str__(self) -> str:
        return f"{self.numerator} / {self.denominator}"


@dataclass(frozen=True)
class Difference:
    """A difference block by block, `tps[a=4] - tps[a=1]`: of terms in their unit, or of two ratios."""

    left: Term | Quotient
    right: Term | Quotient

    def __str__(self) -> str:
        return f"{self.left} - {self.right}"


@dataclass(frozen=True)
class Extreme:
    """The largest or smallest value along axes, over all combinations of their points: `max tps over
    threads`.

    `spread` is (largest - smallest) / smallest, in per cent.
    """

    word: Literal["max", "min", "spread"]
    term: Term
    axes: tuple[Axis, ...]

    def __str__(self) -> str:
        return f"{self.word} {self.term} over {', '.join(map(str, self.axes))}"


@dataclass(frozen=True)
class Figure:
    """A number in the unit of the measure it is compared with; for a spread in per cent, for a quotient
    without a unit.
    """

    value: float

    def __str__(self) -> str:
        return level_text(self.value)


Side = Term | Quotient | Difference | Extreme | Figure


@dataclass(frozen=True)
class Band:
    """How far the left side lies above or below the right one: `by 50 %`, `by 0 to 5 %`, `by 2 x`.

    `%` is the share of the right side: `a > b by 50 %` is at least 1.5 times b, `a < b by 50 %` at most half
    of it. `x` is the ratio of the greater side to the lesser. `high` None: no upper end.
    """

    low: float
    high: float | None = None
    unit: Literal["%", "x"] = "%"

    def ratios(self, relation: Literal[">", "<"]) -> tuple[float, float | None]:
        """Returns the ratios of the left side to the right one at both ends: the end nearer to 1 first, None
        for the further one where there is none.
        """
        return self._ratio(self.low, relation), None if self.high is None else self._ratio(
            self.high, relation
        )

    def _ratio(self, end: float, relation: Literal[">", "<"]) -> float:
        if self.unit == "x":
            return end if relation == ">" else 1 / end
        return 1 + end / 100 if relation == ">" else 1 - end / 100

    def __str__(self) -> str:
        to = "" if self.high is None else f" to {level_text(self.high)}"
        return f"by {level_text(self.low)}{to} {self.unit}"
