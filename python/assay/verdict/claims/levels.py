"""Claims about one measure and a figure: as a mean over blocks, or in every single run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.stats.intervals import mean_interval
from assay.study import Term
from assay.verdict import wording
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.estimates import over_blocks
from assay.verdict.observations import Blocks, Place
from assay.verdict.question import Question


def selected(term: Term, judging: Judging) -> Iterator[tuple[Place, Blocks]]:
    """Every place that the term speaks of, with what was measured there."""
    own = term.selector.load
    for treatment in judging.treatments:
        if treatment.matches(term.selector):
            for load in judging.loads if own is None else (own,):
                yield (
                    judging.at(treatment, load),
                    judging.seen.blocks(term.measure, treatment.name, load),
                )


def levels(term: Term, question: Question, judging: Judging) -> Iterator[Finding]:
    """Geometric means where logarithms exist, of the values and of the figure; else arithmetic ones."""
    for where, blocks in selected(term, judging):
        if not blocks:
            yield Finding((where,), wording.not_measured((term.measure,), where))
            continue
        values = np.array([blocks[block] for block in sorted(blocks)])
        relative = bool((values > 0).all()) and question.positive
        found = (
            over_blocks(blocks, judging.confidence) if relative else mean_interval(values, judging.confidence)
        )
        unit = judging.seen.units[term.measure]
        yield Finding(
            places=(where,),
            said=wording.level(term.measure, unit, where, found, judging.confidence),
            blocks=found.n,
            ratio=found.value,
            low=found.low,
            high=found.high,
            question=question,
            contrasts=question.of_logs(np.log(values)) if relative else question.of_levels(values),
        )
