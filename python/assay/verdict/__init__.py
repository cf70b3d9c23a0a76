"""From measures to words: comparisons, the verdict on each hypothesis, and the reasons to doubt them."""

from assay.verdict.judge import judge
from assay.verdict.results import (
    Comparison,
    DoubtNote,
    Estimate,
    HypothesisVerdict,
    Part,
    Results,
)

__all__ = ["Comparison", "DoubtNote", "Estimate", "HypothesisVerdict", "Part", "Results", "judge"]
