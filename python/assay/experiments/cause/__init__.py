"""Finds causes by interventions: what is changed on both of two treatments, and whether their difference goes
away with it.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.cause.evidence import Evidence, evidence_of
    from assay.experiments.cause.follow_up import FollowUp, carried_out, outcomes_in, plan_follow_up
    from assay.experiments.cause.interventions import Intervention, Unfit, candidates
    from assay.experiments.cause.pair import Pair, pair_of, side_of
    from assay.experiments.cause.plan_cause import (
        RestoredPlan,
        changed_plans,
        in_words,
        measure_sets,
        opened_study,
        restore_plans,
        settings_to_measure,
    )
    from assay.experiments.cause.resources import (
        ChangedResource,
        FixedResource,
        changed_resources,
        effects_in,
        resource_ids,
        study_of_resources,
    )
    from assay.experiments.cause.rules import rules
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "ChangedResource",
    "Evidence",
    "FixedResource",
    "FollowUp",
    "Intervention",
    "Pair",
    "RestoredPlan",
    "Unfit",
    "candidates",
    "carried_out",
    "changed_plans",
    "changed_resources",
    "effects_in",
    "evidence_of",
    "in_words",
    "measure_sets",
    "opened_study",
    "outcomes_in",
    "pair_of",
    "plan_follow_up",
    "resource_ids",
    "restore_plans",
    "rules",
    "settings_to_measure",
    "side_of",
    "study_of_resources",
]
