"""Records of settings in which the treatments' servers must be equal for a fair comparison, and are not."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.results.verdict import treatments_of
from assay.results.verdict.fairness import Inequality, inequalities, read_settings


def fairness(material: Material) -> tuple[Inequality, ...]:
    """Returns the unequal subjects: unfair ones first, then those that the study varies on purpose."""
    store = material.cursor()
    return inequalities(treatments_of(material.study, store), read_settings(store))
