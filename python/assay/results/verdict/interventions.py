"""Judges interventions: whether a difference between two treatments goes away when both get one and the same
change.

A follow-up study has four cells in each block: both treatments without the change, and both with it. The
interaction is judged on two scales, since no single one is right. The ratio of the treatments is the scale of
a verdict. What one of them takes longer than the other, in time for a transaction, is the scale on which
waits and work add up: a slow network makes every ratio smaller and takes away nothing. What goes away is said
only where it does on both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.results.stats import (
    ConfidenceInterval,
    ShareGone,
    fewest_blocks,
    geometric_interval,
    more_blocks_for_share,
    share_gone,
)
from assay.results.verdict.observations import higher_is_better

InterventionWord = Literal["goes", "goes-in-time", "none", "grows", "diluted", "undecided", "not-there"]
"""The word for an intervention. `goes`: some of the difference does, the share says how much. `none`: the
whole interval is near none of it, on one of both scales. `goes-in-time`: some of the time goes, and the ratio
moves away from 1 because all else is faster. `diluted`: the ratio comes nearer to 1 only because all else
takes longer. `not-there`: the difference was not found again without the intervention.
"""

LITTLE = 0.25
"""Share of a difference below which none of it goes away."""

Blocks = Mapping[int, float]


@dataclass(frozen=True)
class Cells:
    """The values of a measure by block: of both treatments without the intervention, and with it."""

    first: Blocks
    second: Blocks
    first_with: Blocks
    second_with: Blocks


@dataclass(frozen=True)
class InterventionOutcome:
    """What an intervention does to a difference.

    `share` of the difference of logarithms that goes away, and `time_share` of that in time for an operation;
    both with intervals that hold for all interventions of the study together. `effect` is what the
    intervention does to the first treatment, as a ratio. `more_blocks`: how many more would probably decide;
    None where it is decided, or they would hardly do.
    """

    intervention: str
    measure: str
    load: float
    word: InterventionWord
    share: ShareGone
    time_share: ShareGone
    effect: ConfidenceInterval
    confidence: float
    more_blocks: int | None = None

    @property
    def ratio(self) -> float:
        """The ratio of the treatments without the intervention."""
        return float(np.exp(self.share.difference))


def judge_interventions(
    cells: Mapping[str, Cells], measure: str, load: float, confidence: float
) -> tuple[InterventionOutcome, ...]:
    """Returns the outcome of every intervention that has been measured in some whole block.

    The error of 1 - confidence is divided among the interventions (Bonferroni): not one interval misses in as
    many studies as the confidence says.
    """
    whole = {name: one for name, one in cells.items() if _common(one)}
    each = 1 - (1 - confidence) / max(len(whole), 1)
    fewest = fewest_blocks(confidence)
    return tuple(_judged(name, one, measure, load, each, fewest) for name, one in whole.items())


def _common(cells: Cells) -> list[int]:
    found = [set(one) for one in (cells.first, cells.second, cells.first_with, cells.second_with)]
    values = (cells.first, cells.second, cells.first_with, cells.second_with)
    return sorted(block for block in set.intersection(*found) if all(one[block] > 0 for one in values))


def _judged(
    name: str, cells: Cells, measure: str, load: float, confidence: float, fewest: int
) -> InterventionOutcome:
    blocks = _common(cells)
    first, second, first_with, second_with = (
        np.array([of[block] for block in blocks])
        for of in (cells.first, cells.second, cells.first_with, cells.second_with)
    )
    share = share_gone(np.log(second / first), np.log(second_with / first_with), confidence)
    power = -1.0 if higher_is_better(measure) else 1.0
    time_share = share_gone(second**power - first**power, second_with**power - first_with**power, confidence)
    word = _word(share, time_share) if len(blocks) >= fewest else "undecided"
    return InterventionOutcome(
        intervention=name,
        measure=measure,
        load=load,
        word=word,
        share=share,
        time_share=time_share,
        effect=geometric_interval(first_with / first, confidence),
        confidence=confidence,
        more_blocks=_more(share, word, confidence, fewest),
    )


def _word(share: ShareGone, time_share: ShareGone) -> InterventionWord:
    if share.low is None or share.high is None:
        return "not-there"
    goes, grows = share.low > 0, share.high < 0
    stays = _is_little(share)
    if time_share.low is None or time_share.high is None:
        return "none" if stays else "undecided"
    if goes and time_share.low > 0:
        return "goes"
    if goes and (time_share.high < LITTLE):
        return "diluted"
    if grows and time_share.low > 0:
        return "goes-in-time"
    if grows and time_share.high < 0:
        return "grows"
    return "none" if stays or _is_little(time_share) else "undecided"


def _is_little(share: ShareGone) -> bool:
    return share.low is not None and share.high is not None and share.low > -LITTLE and share.high < LITTLE


def _more(share: ShareGone, word: InterventionWord, confidence: float, fewest: int) -> int | None:
    if word not in ("undecided", "not-there"):
        return None
    if share.n < fewest:
        return fewest - share.n
    distances = [abs(share.share)]
    if abs(share.share) < LITTLE:
        distances.append(LITTLE - abs(share.share))
    return more_blocks_for_share(share, max(distances), confidence)


def best(outcomes: Sequence[InterventionOutcome]) -> InterventionOutcome | None:
    """Returns the intervention that takes most of the difference away, by the lower end of its share in time;
    None where none does.
    """
    going = [one for one in outcomes if one.word in ("goes", "goes-in-time")]
    return max(going, key=lambda one: one.time_share.low or 0.0, default=None)
