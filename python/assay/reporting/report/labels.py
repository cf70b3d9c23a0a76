"""Names of treatments and levels for people: what differs between them, in the study's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.reporting.report.material import Material

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.design.study import Factor


def labels(material: Material) -> Mapping[str, str]:
    """Returns a name for each treatment: the labels of its levels of the factors that differ, each once.

    A level without a label is `factor=level`. Where one factor at a time is off its baseline, only that
    factor is named. Treatments keep their own names where the labels would not tell them apart.
    """
    return material.once(_labels)


def _labels(material: Material) -> Mapping[str, str]:
    names = material.results.treatments
    levels = _levels(material)
    baseline = levels[names[0]] if names else {}
    one_at_a_time = material.study.design.kind == "one-at-a-time"
    found = {}
    for name in names:
        told = [
            factor.label(level, material.words.language)
            for factor in material.study.factors
            if (level := levels[name].get(factor.name)) is not None
            and any(levels[other].get(factor.name) != level for other in names)
            and not (one_at_a_time and name != names[0] and baseline.get(factor.name) == level)
        ]
        found[name] = material.words.listed(told)
    if one_at_a_time and names and not any(factor.labels for factor in material.study.factors):
        found[names[0]] = names[0]
    is_distinct = all(found.values()) and len(set(found.values())) == len(names)
    return found if is_distinct else {name: name for name in names}


def _levels(material: Material) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {name: {} for name in material.results.treatments}
    for row in material.rows("SELECT DISTINCT treatment, factor, level FROM levels"):
        if row["treatment"] in found:
            found[row["treatment"]][row["factor"]] = row["level"]
    return found


def factor_of(material: Material, name: str) -> Factor | None:
    """Returns the study's factor of this name, full or short; None where it has none."""
    return next((one for one in material.study.factors if name in (one.name, one.short_name)), None)
