"""Makes the plan of a study: its treatments, the order of its runs, and how long they take."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.design.plan.estimate import (
        Estimate,
        Known,
        Sizes,
        around_name,
        estimate,
        windows_and_around,
    )
    from assay.design.plan.host_blocks import share_blocks
    from assay.design.plan.kind_check import check_kinds
    from assay.design.plan.plan import (
        OPEN_LOOP_CONNECTIONS,
        OwnData,
        Plan,
        PlannedExperiment,
        PlannedRun,
        Script,
        Treatment,
        WorkloadSize,
    )
    from assay.design.plan.schedule import ORDERING, choose_seed, longest_pause_s, make_plan
    from assay.design.plan.treatments import SCHEMA_OPTIONS, make_treatments
    from assay.design.plan.workload_check import check_workload, place_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "OPEN_LOOP_CONNECTIONS",
    "ORDERING",
    "SCHEMA_OPTIONS",
    "Estimate",
    "Known",
    "OwnData",
    "Plan",
    "PlannedExperiment",
    "PlannedRun",
    "Script",
    "Sizes",
    "Treatment",
    "WorkloadSize",
    "around_name",
    "check_kinds",
    "check_workload",
    "choose_seed",
    "estimate",
    "longest_pause_s",
    "make_plan",
    "make_treatments",
    "place_of",
    "share_blocks",
    "windows_and_around",
]
