"""Records of the plans of the load's statements, from the store of the results."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.results.verdict import SeenPlans
from assay.results.verdict import seen_plans as in_store


def seen_plans(material: Material) -> SeenPlans:
    """Returns what is known of the plans of the load's statements, compared within each kind of load."""
    results = material.results
    groups = [tuple(part.names) for part in results.workloads] or [results.treatments]
    return in_store(material.cursor(), groups)
