"""Tables of the report: one file each, one line here."""

from __future__ import annotations

from collections.abc import Callable

from assay.report.material import Material
from assay.report.tables import (
    comparisons,
    costs,
    differences,
    doubts,
    durability,
    environment,
    errors,
    fairness,
    hypotheses,
    runs,
    scaling,
    wide,
)
from assay.report.tables.model import Table

TABLES: tuple[Callable[[Material], list[Table]], ...] = (
    hypotheses.tables,
    wide.tables,
    scaling.tables,
    comparisons.tables,
    costs.tables,
    errors.tables,
    fairness.tables,
    differences.tables,
    durability.tables,
    environment.tables,
    doubts.tables,
    runs.tables,
)


def build_tables(material: Material) -> list[Table]:
    """Every table, empty ones too: that there were no errors is a result."""
    return [table for build in TABLES for table in build(material)]
