"""The table `[verdict]`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from assay.design.study.model.table import Frozen

Margin = Annotated[float, Field(gt=0, lt=1, strict=False)]

OF_COPIES = "aa"
"""The word for a margin that equal copies determine by their differences."""


def _check_margin(value: object) -> object:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == OF_COPIES or (number and 0 < value < 1):  # type: ignore[operator]
        return float(value) if number else value  # type: ignore[arg-type]
    sentence = f'{value!r} is not a margin; write a number between 0 and 1, or "{OF_COPIES}"'
    raise PydanticCustomError("value", "{sentence}", {"sentence": sentence})


class VerdictOptions(Frozen, strict=True):
    """How verdicts are reached."""

    margin: Annotated[
        float | Literal["aa"],
        BeforeValidator(_check_margin),
        WithJsonSchema(
            {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, {"const": "aa"}]}
        ),
        Field(
            description="Ratios from 1 / (1 + margin) to 1 + margin are the same;"
            ' "aa": what equal copies differ by, as `assay aa` found.'
        ),
    ] = 0.02
    confidence: Annotated[float, Field(gt=0.5, lt=1, strict=False, description="Of every interval.")] = 0.95
    noise: Annotated[
        Margin | None,
        Field(description="Spread of single runs (0.02: 2 %), for `assay plan` without A/A results."),
    ] = None

    @property
    def known_margin(self) -> float:
        """The margin as a number. Raises ValueError where copies determine it and have not been measured
        yet.
        """
        if isinstance(self.margin, str):
            raise ValueError("the margin of copies is not known yet")
        return self.margin
