"""Statistics as pure functions on arrays, without any knowledge of servers, files or studies."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.results.stats import special
    from assay.results.stats.agreement import (
        LogSummary,
        RankAgreement,
        log_summary,
        rank_agreement,
        ratio_of_summaries,
        unpaired_ratio,
    )
    from assay.results.stats.alarms import expected_false_alarms, expected_wrong_verdicts
    from assay.results.stats.alikeness import alike_factor, is_frail, withstood
    from assay.results.stats.change_points import LEAST_CHANGE, ChangePoint, change_points, noise_between
    from assay.results.stats.copies import (
        Effect,
        Spread,
        bound_of_equals,
        drift,
        row_effect,
        spread,
        spread_between,
    )
    from assay.results.stats.density import density
    from assay.results.stats.exchangeability import Course, course_of, far_from_others, two_kinds, wariness
    from assay.results.stats.heterogeneity import Heterogeneity, heterogeneity
    from assay.results.stats.humps import humps
    from assay.results.stats.intervals import ConfidenceInterval, geometric_interval, mean_interval, zero_p
    from assay.results.stats.jackknife import judged_wider, spread_of_runs
    from assay.results.stats.knee import KneeSearch
    from assay.results.stats.lines import Shift, shift_tree, shifts
    from assay.results.stats.multiplicity import beyond_p, beyond_region_p, false_discovery, family_wise
    from assay.results.stats.nested import FEWEST_LOADS, group_means
    from assay.results.stats.paired import PairedRatio, paired_ratio, widened_ratio
    from assay.results.stats.planning import MOST_BLOCKS, more_blocks
    from assay.results.stats.positions import PositionDrift, position_drift
    from assay.results.stats.power import (
        blocks_to_find,
        blocks_to_reach,
        chance_of_same,
        detectable,
        detectable_at,
        spread_of,
    )
    from assay.results.stats.proportion import most_of_all, share_interval
    from assay.results.stats.region import Gate, Region, around, fewest_blocks, position
    from assay.results.stats.screening import Lenth, PairAction, Screen, coded, leaks, lenth, pair_actions
    from assay.results.stats.sequential import looks_until, nominal_level, summed_error
    from assay.results.stats.share_gone import ShareGone, more_blocks_for_share, share_gone
    from assay.results.stats.stall import Stall, stall, stalled_seconds
    from assay.results.stats.state import fills, grows
    from assay.results.stats.steady import FEWEST_SECONDS, Steadiness, steadiness
    from assay.results.stats.turning_points import collapse_rungs, crossover_rungs, knee_rungs, not_beaten
    from assay.results.stats.usl import ENOUGH_RUNGS, FEWEST_RUNGS, MISFIT, USL_REACH, Peak, Usl, fit_usl
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "ENOUGH_RUNGS",
    "FEWEST_LOADS",
    "FEWEST_RUNGS",
    "FEWEST_SECONDS",
    "LEAST_CHANGE",
    "MISFIT",
    "MOST_BLOCKS",
    "USL_REACH",
    "ChangePoint",
    "ConfidenceInterval",
    "Course",
    "Effect",
    "Gate",
    "Heterogeneity",
    "KneeSearch",
    "Lenth",
    "LogSummary",
    "PairAction",
    "PairedRatio",
    "Peak",
    "PositionDrift",
    "RankAgreement",
    "Region",
    "Screen",
    "ShareGone",
    "Shift",
    "Spread",
    "Stall",
    "Steadiness",
    "Usl",
    "alike_factor",
    "around",
    "beyond_p",
    "beyond_region_p",
    "blocks_to_find",
    "blocks_to_reach",
    "bound_of_equals",
    "chance_of_same",
    "change_points",
    "coded",
    "collapse_rungs",
    "course_of",
    "crossover_rungs",
    "density",
    "detectable",
    "detectable_at",
    "drift",
    "expected_false_alarms",
    "expected_wrong_verdicts",
    "false_discovery",
    "family_wise",
    "far_from_others",
    "fewest_blocks",
    "fills",
    "fit_usl",
    "geometric_interval",
    "group_means",
    "grows",
    "heterogeneity",
    "humps",
    "is_frail",
    "judged_wider",
    "knee_rungs",
    "leaks",
    "lenth",
    "log_summary",
    "looks_until",
    "mean_interval",
    "more_blocks",
    "more_blocks_for_share",
    "most_of_all",
    "noise_between",
    "nominal_level",
    "not_beaten",
    "pair_actions",
    "paired_ratio",
    "position",
    "position_drift",
    "rank_agreement",
    "ratio_of_summaries",
    "row_effect",
    "share_gone",
    "share_interval",
    "shift_tree",
    "shifts",
    "special",
    "spread",
    "spread_between",
    "spread_of",
    "spread_of_runs",
    "stall",
    "stalled_seconds",
    "steadiness",
    "summed_error",
    "two_kinds",
    "unpaired_ratio",
    "wariness",
    "widened_ratio",
    "withstood",
    "zero_p",
]
