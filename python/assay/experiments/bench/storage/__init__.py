"""Carries out one measurement of files and disks: jobs one after the other, and their figures."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.bench.storage.carry_out import StageOutcome, carry_out
    from assay.experiments.bench.storage.figures import (
        DEPTHS,
        DIRECTIONS,
        EDGES,
        SIZES,
        Group,
        groups_of,
        levels,
        line_figures,
        lines_of,
        result_json,
    )
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "DEPTHS",
    "DIRECTIONS",
    "EDGES",
    "SIZES",
    "Group",
    "StageOutcome",
    "carry_out",
    "groups_of",
    "levels",
    "line_figures",
    "lines_of",
    "result_json",
]
