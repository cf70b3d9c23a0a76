"""Parts of the sentences about charts: values with their treatments, names, seconds, units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from assay.base.numbers import AT_LEAST, number
from assay.reporting.report.material import Material
from assay.reporting.report.treatment_labels import labels_of

LISTED = 4
"""The largest number of treatments that a sentence names; of more it names the lowest and the highest."""
LONG = 90
"""So does a sentence with more than two treatments whose names have more letters together."""


def phrase(material: Material, key: str, **values: Any) -> str:
    """Returns a phrase that names a treatment; a study of one treatment has no need to name it."""
    alone = len(material.results.treatments) == 1
    return material.words(f"says.{key}-alone" if alone else f"says.{key}", **values)


def values_of(material: Material, found: Sequence[Any], load: float | None) -> str:
    """Returns the sentence of one measure's values, a treatment each."""
    words = material.words
    told = [(one.treatment, one.value, getattr(one, "at_least", False)) for one in found]
    values = listed(material, told, found[0].unit)
    name = words.measure(found[0].measure)
    if load is None:
        return words("says.values", measure=name, values=values)
    return words("says.values-at", measure=name, load=material.load_words(load), values=values)


def listed(material: Material, found: Sequence[tuple[str, float, bool]], unit: str) -> str:
    words = material.words
    shown, only_ends = list(found), are_many([spoken(material, treatment) for treatment, _, _ in found])
    if only_ends:
        shown = [min(found, key=lambda one: one[1]), max(found, key=lambda one: one[1])]
    parts = [
        phrase(
            material,
            "value-with",
            value=with_unit(material, f"{AT_LEAST if at_least else ''}{number(value)}", unit),
            treatment=spoken(material, treatment),
        )
        for treatment, value, at_least in shown
    ]
    return words("says.from-to", low=parts[0], high=parts[1]) if only_ends else words.listed(parts)


def spoken(material: Material, treatment: str) -> str:
    return labels_of(material).spoken(treatment)


def are_many(treatments: Sequence[str]) -> bool:
    """Returns whether a sentence names the ends alone of these treatments."""
    return len(treatments) > LISTED or (len(treatments) > 2 and sum(map(len, treatments)) > LONG)


def second_of(t_s: float) -> str:
    """Returns the second of the window in which something was."""
    return number(math.floor(max(t_s, 0.0)))


def with_unit(material: Material, value: str, unit: str) -> str:
    shown = material.words.unit(unit)
    return f"{value} {shown}" if shown else value
