"""Inequalities of the treatments' servers in what makes a comparison fair."""

from __future__ import annotations

from assay.report.material import Material
from assay.verdict import treatments_of
from assay.verdict.fairness import Inequality, inequalities, read_settings


def fairness(material: Material) -> tuple[Inequality, ...]:
    """One a subject that is unequal, unfair ones first; what the study varies on purpose after them."""
    store = material.cursor()
    return inequalities(treatments_of(material.study, store), read_settings(store))
