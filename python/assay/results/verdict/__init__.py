"""Computes comparisons, the verdict on each hypothesis, and the doubts about them, from measures."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.results.verdict import fairness
    from assay.results.verdict.answers import Figure, HypothesisVerdict, NotBeyond, Part, said_by
    from assay.results.verdict.bottleneck import ResourceEffect, bottleneck, judge_resources
    from assay.results.verdict.closing import CLOSINGS, Closing, closing_of
    from assay.results.verdict.compared import (
        FEW,
        Bound,
        Comparison,
        ComparisonWord,
        Differing,
        Place,
        Reason,
        bound_of,
        distinct,
    )
    from assay.results.verdict.comparisons import word_of
    from assay.results.verdict.conditions import (
        MeasuredRun,
        canary_of,
        conditions_of,
        first_conditions,
        measured_runs,
    )
    from assay.results.verdict.consequence.counting import kinds_of_doubt, with_known, with_notes
    from assay.results.verdict.consequence.natures import KINDS_OF_DOUBT
    from assay.results.verdict.doubts.lost import FILE_DOUBTS, doubt_of_lines
    from assay.results.verdict.doubts.study_wide import doubt_of_removed_runs
    from assay.results.verdict.effects import FactorEffect, Interaction, Screening
    from assay.results.verdict.estimates import over_blocks
    from assay.results.verdict.evidence import (
        Decision,
        Obstacle,
        Side,
        doubts_about,
        gravest,
        unpaired_decision,
    )
    from assay.results.verdict.gates.checks import GRAVITY, Check, Fresh, Gated, JudgedResults, Outcome, Reach
    from assay.results.verdict.gates.judging import began_ns, judge_gates, with_hypotheses
    from assay.results.verdict.gates.missing import Lack, Shortfall, lack
    from assay.results.verdict.gates.tolerance import is_blind, tolerance_of, too_coarse
    from assay.results.verdict.interventions import (
        LITTLE,
        Cells,
        InterventionOutcome,
        best,
        judge_interventions,
    )
    from assay.results.verdict.judge import judge
    from assay.results.verdict.leading import leading_measures
    from assay.results.verdict.observations import higher_is_better
    from assay.results.verdict.phrases import Amount, Explanation, Phrase, phrase
    from assay.results.verdict.plans import (
        PlanChange,
        PlanFlip,
        SeenPlans,
        StatementChange,
        Step,
        same_way,
        seen_plans,
    )
    from assay.results.verdict.printed import PrintedAnswer, as_printed
    from assay.results.verdict.reasons import MAIN_COSTS, OF_ONE_OPERATION
    from assay.results.verdict.results import (
        GRAVEST_FIRST,
        TURNING_FIRST,
        Consequence,
        DoubtNote,
        Estimate,
        LooksTaken,
        NamedTerms,
        Results,
        Severity,
        by_severity,
    )
    from assay.results.verdict.screening import design_of
    from assay.results.verdict.settings import SettingPair, server_factors, setting_pairs, variable_factors
    from assay.results.verdict.stored_values import NOT_REACHED
    from assay.results.verdict.treatments import Treatment, count_treatments, levels_of, treatments_of
    from assay.results.verdict.why.choice import shifts_of, telling_load
    from assay.results.verdict.why.first import FirstLook, first_looks
    from assay.results.verdict.why.lines import in_units, without_rounding
    from assay.results.verdict.why.records import (
        ALIKE,
        COUNTERS,
        MACHINE,
        REST,
        SMALLER,
        LedgerShift,
        LineShift,
        LineWord,
        PairedRuns,
    )
    from assay.results.verdict.why.unwatched import Unwatched
    from assay.results.verdict.why.watching import LEDGER_OF, WatchedShare, watched_shares
    from assay.results.verdict.wording import amount
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "ALIKE",
    "CLOSINGS",
    "COUNTERS",
    "FEW",
    "FILE_DOUBTS",
    "GRAVEST_FIRST",
    "GRAVITY",
    "KINDS_OF_DOUBT",
    "LEDGER_OF",
    "LITTLE",
    "MACHINE",
    "MAIN_COSTS",
    "NOT_REACHED",
    "OF_ONE_OPERATION",
    "REST",
    "SMALLER",
    "TURNING_FIRST",
    "Amount",
    "Bound",
    "Cells",
    "Check",
    "Closing",
    "Comparison",
    "ComparisonWord",
    "Consequence",
    "Decision",
    "Differing",
    "DoubtNote",
    "Estimate",
    "Explanation",
    "FactorEffect",
    "Figure",
    "FirstLook",
    "Fresh",
    "Gated",
    "HypothesisVerdict",
    "Interaction",
    "InterventionOutcome",
    "JudgedResults",
    "Lack",
    "LedgerShift",
    "LineShift",
    "LineWord",
    "LooksTaken",
    "MeasuredRun",
    "NamedTerms",
    "NotBeyond",
    "Obstacle",
    "Outcome",
    "PairedRuns",
    "Part",
    "Phrase",
    "Place",
    "PlanChange",
    "PlanFlip",
    "PrintedAnswer",
    "Reach",
    "Reason",
    "ResourceEffect",
    "Results",
    "Screening",
    "SeenPlans",
    "SettingPair",
    "Severity",
    "Shortfall",
    "Side",
    "StatementChange",
    "Step",
    "Treatment",
    "Unwatched",
    "WatchedShare",
    "amount",
    "as_printed",
    "began_ns",
    "best",
    "bottleneck",
    "bound_of",
    "by_severity",
    "canary_of",
    "closing_of",
    "conditions_of",
    "count_treatments",
    "design_of",
    "distinct",
    "doubt_of_lines",
    "doubt_of_removed_runs",
    "doubts_about",
    "fairness",
    "first_conditions",
    "first_looks",
    "gravest",
    "higher_is_better",
    "in_units",
    "is_blind",
    "judge",
    "judge_gates",
    "judge_interventions",
    "judge_resources",
    "kinds_of_doubt",
    "lack",
    "leading_measures",
    "levels_of",
    "measured_runs",
    "over_blocks",
    "phrase",
    "said_by",
    "same_way",
    "seen_plans",
    "server_factors",
    "setting_pairs",
    "shifts_of",
    "telling_load",
    "tolerance_of",
    "too_coarse",
    "treatments_of",
    "unpaired_decision",
    "variable_factors",
    "watched_shares",
    "with_hypotheses",
    "with_known",
    "with_notes",
    "without_rounding",
    "word_of",
]
