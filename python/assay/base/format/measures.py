"""Measures of workloads' own: made of what the engine says by `make schema`, never edited."""

from __future__ import annotations

from collections.abc import Mapping

from assay.base.format.event import OwnMeasure

OWN_MEASURES: tuple[OwnMeasure, ...] = (
    OwnMeasure(kind="new_order", name="tpmc", per_s=60, unit="/min", whole=True),
)
OWN_MEASURES_OF: Mapping[str, tuple[str, ...]] = {"tpcc": ("tpmc",)}
"""Names of the measures that a workload has for itself."""
