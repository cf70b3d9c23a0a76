"""Makes the caption of a chart from the parts that were drawn: a part that is left out is not spoken of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.reporting.report.words import Words

Parts = Mapping[str, bool]
"""Whether a part was drawn, by its phrase under `[chart.part]`."""


def caption(words: Words, parts: Parts, *more: str, **figures: Any) -> str:
    """Returns a sentence about the parts that were drawn, with their `figures`, and `more` sentences."""
    drawn = [words(f"chart.part.{name}", **figures) for name, is_drawn in parts.items() if is_drawn]
    said = words.clauses(drawn)
    sentence = words("chart.parts", parts=f"{said[:1].upper()}{said[1:]}") if said else ""
    return words.sentences(filter(None, [sentence, *more]))
