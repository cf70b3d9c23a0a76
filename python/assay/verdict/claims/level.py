"""One measure against a figure, as a mean over blocks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.stats import mean_interval
from assay.study import Term
from assay.verdict import wording
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.decision import Edges
from assay.verdict.estimates import over_blocks
from assay.verdict.question import Relation, with_figure
from assay.verdict.results import Figure


def findings(term: Term, relation: Relation, value: float, judging: Judging) -> Iterator[Finding]:
    """Geometric means where logarithms exist, of the values and of the figure; else arithmetic ones."""
    measure, question = term.measure, with_figure(relation, value, judging.margin)
    for where, blocks in judging.selected(term):
        if not blocks:
            yield Finding((where,), wording.not_measured((measure,), where))
            continue
        values = np.array([blocks[block] for block in sorted(blocks)])
        relative = bool((values > 0).all()) and question.positive
        found = (
            over_blocks(blocks, judging.confidence) if relative else mean_interval(values, judging.confidence)
        )
        unit = judging.seen.units[measure]
        level = f"{wording.figure(found.value)}{wording.unit(unit)}"
        yield Finding(
            where=(where,),
            said=f"{measure} of {where} is {level}{wording.spread(found, judging.confidence)}",
            blocks=found.n,
            figure=Figure("level", found.value, found.low, found.high, unit),
            question=question,
            asserts=Edges(question.of_logs(np.log(values)) if relative else question.of_levels(values)),
        )
