"""Two treatments compared: by block where they ran in the same blocks, otherwise as they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assay.design.study import Conditions, Unlikeness, unlikenesses, work_of
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.compare.likeness import OF_LOOKS, Look, look, obstacles
from assay.results.stats import fewest_blocks, paired_ratio
from assay.results.verdict import (
    Comparison,
    Decision,
    Estimate,
    conditions_of,
    doubts_about,
    unpaired_decision,
)
from assay.results.verdict import Side as Measured

_OTHER_WAY = {"better": "worse", "worse": "better", "more": "less", "less": "more"}


@dataclass(frozen=True)
class Side:
    """One side: a treatment of results."""

    opened: OpenResults
    treatment: str


@dataclass(frozen=True)
class ComparedRow:
    """One measure at one load point. `ratio` is new / base; `word` is empty where nothing is judged."""

    measure: str
    unit: str
    load: float
    base: Estimate
    new: Estimate
    ratio: float | None
    low: float | None
    high: float | None
    word: str
    blocks: int
    is_headline: bool
    matters: bool
    distance: float  # from the margin, in widths of the interval
    decision: Decision | None = None  # None: a value is zero, so there is no ratio
    look: Look | None = None  # of a headline measure of two results that are alike


Lack = Literal["", "work", "shared", "bounded"]
"""`work`: the sides did two kinds of work. `shared`: no measure at a load that both had. `bounded`: no
difference has an interval.
"""


@dataclass(frozen=True)
class Compared:
    """Two sides with every measure that both have. `blocks`: how many both ran in; 0 where they are not
    paired.

    `facts` are what the runs of each side say of themselves, `settings` the server variables with unequal
    values, those by which a comparison may be unfair first; None where a side has none on record.
    """

    base: Side
    new: Side
    is_paired: bool
    blocks: int
    margin: float
    rows: tuple[ComparedRow, ...]
    facts: tuple[tuple[str, str, str], ...]
    canary: tuple[float | None, float | None]
    settings: tuple[Unlikeness, ...] | None
    stated: tuple[Unlikeness, ...] = ()  # what the studies of two results state differently
    obstacles: tuple[str, ...] = ()  # to saying how two results look
    reasons: tuple[str, ...] | None = None  # costs that differ, the clearest first; None: nobody ranked them

    @property
    def lack(self) -> Lack:
        """The reason why no measure could be compared; empty where measures were compared."""
        if "work" in self.obstacles:
            return "work"
        if not self.rows:
            return "shared"
        return "" if any(math.isfinite(row.distance) for row in self.rows) else "bounded"

    @property
    def has_looks(self) -> bool:
        """Whether rows say how they look: of two results that are alike."""
        return not self.is_paired and not self.obstacles


def compare_sides(base: Side, new: Side) -> Compared:
    """Returns the comparison. Treatments of one result are paired by block, and have the words that the
    report gives them. Those of two results have estimates; where the results are alike, headline measures say
    how they look.
    """
    is_paired = base.opened.rid == new.opened.rid
    margin = base.opened.judged.study.verdict.known_margin
    judged = dict(_judged(base, new)) if is_paired else {}
    before = _estimates(base)
    old, now = _conditions(base), _conditions(new)
    unlike = unlikenesses(old, now, OF_LOOKS)
    against = () if is_paired else tuple(obstacles(base.opened, new.opened, old, now))
    if any(one.name == "work" for one in unlike):
        against = tuple(dict.fromkeys(("work", *against)))
    rows = []
    for place, after in _estimates(new).items() if "work" not in against else ():
        if place in before:
            row = _row((base, old), (new, now), before[place], after, judged.get(place), margin)
            if row.is_headline and not is_paired and not against:
                row = replace(row, look=look(row.measure, row.low, row.high, margin))
            rows.append(row)
    reasons = _reasons(base, new) if is_paired else None
    rank = {measure: place for place, measure in enumerate(reasons or ())}
    rows.sort(key=lambda row: (not row.is_headline, rank.get(row.measure, len(rank)), -row.distance))
    blocks = {block for row in rows for block, _ in row.base.blocks} & {
        block for row in rows for block, _ in row.new.blocks
    }
    facts = tuple((name, text, now.facts[name]) for name, text in old.facts.items())
    return Compared(
        base=base,
        new=new,
        is_paired=is_paired,
        blocks=len(blocks) if is_paired else 0,
        margin=margin,
        rows=tuple(rows),
        facts=tuple(fact for fact in facts if any(fact[1:])),
        canary=(old.canary_us, now.canary_us),
        settings=_of_group(unlike, "variable") if old.variables and now.variables else None,
        stated=() if is_paired else _of_group(unlike, "stated"),
        obstacles=against,
        reasons=reasons,
    )


def _reasons(base: Side, new: Side) -> tuple[str, ...] | None:
    """Returns the costs and counters that differ by the report's ranking, one of those in constant
    proportion; None where the report does not set these two beside each other.
    """
    sides = {base.treatment, new.treatment}
    for one in base.opened.judged.results.differing:
        if {one.baseline, one.other} == sides and one.compared:
            return tuple(reason.measure for reason in one.reasons)
    return None


def _of_group(unlike: Sequence[Unlikeness], group: str) -> tuple[Unlikeness, ...]:
    return tuple(one for one in unlike if one.group == group)


def _estimates(side: Side) -> dict[tuple[str, float], Estimate]:
    return {
        (one.measure, one.load): one
        for one in side.opened.judged.results.estimates
        if one.treatment == side.treatment
    }


def _judged(base: Side, new: Side) -> Iterator[tuple[tuple[str, float], tuple[Comparison, bool]]]:
    """Yields the report's comparisons of the pair, with whether they are the other way round."""
    for one in base.opened.judged.results.comparisons:
        if (one.baseline, one.other) == (base.treatment, new.treatment):
            yield (one.measure, one.load), (one, False)
        elif (one.other, one.baseline) == (base.treatment, new.treatment):
            yield (one.measure, one.load), (one, True)


def _conditions(side: Side) -> Conditions:
    judged = side.opened.judged
    return conditions_of(judged.study, judged.store.cursor(), [side.treatment])


def _row(
    base: tuple[Side, Conditions],
    new: tuple[Side, Conditions],
    before: Estimate,
    after: Estimate,
    judged: tuple[Comparison, bool] | None,
    margin: float,
) -> ComparedRow:
    word = ""
    if base[0].opened.rid == new[0].opened.rid:
        decision = _paired(base[0], new[0], before, after)
    else:
        decision = unpaired_decision(_measured(*new, after), _measured(*base, before))
    ratio = None if decision is None else decision.figure
    low, high = (decision and decision.interval) or (None, None)
    blocks = min((len(before.blocks), len(after.blocks)) if decision is None else decision.blocks)
    if judged is not None:
        found, turned = judged
        ratio, low, high, blocks, margin = found.ratio, found.low, found.high, found.blocks, found.margin
        word = found.word
        if turned:
            ratio, low, high = 1 / ratio, _inverse(high), _inverse(low)
            word = _OTHER_WAY.get(word, word)
    headline = before.measure in base[0].opened.judged.results.headlines
    distance = _distance(ratio, low, high, margin)
    return ComparedRow(
        before.measure, before.unit, before.load, before, after, ratio, low, high, word, blocks, headline,
        headline or distance > 0, distance, decision,
    )  # fmt: skip


def _measured(side: Side, conditions: Conditions, one: Estimate) -> Measured:
    results, confidence = side.opened.judged.results, side.opened.judged.study.verdict.confidence
    assert conditions.work is not None
    return Measured(
        work=conditions.work,
        value=one.value,
        blocks=tuple(value for _, value in one.blocks),
        fewest=fewest_blocks(confidence),
        confidence=confidence,
        doubts=doubts_about(results, [one.treatment], one.load, one.measure),
    )


def _paired(base: Side, new: Side, before: Estimate, after: Estimate) -> Decision | None:
    """Returns new / base of two treatments of one result, block by block; None where a value is zero."""
    olds, news = dict(before.blocks), dict(after.blocks)
    pairs = [(olds[block], news[block]) for block in sorted(olds.keys() & news.keys())]
    if not pairs or min(min(pair) for pair in pairs) <= 0:
        return None
    results, confidence = base.opened.judged.results, base.opened.judged.study.verdict.confidence
    found = paired_ratio([old for old, _ in pairs], [new for _, new in pairs], confidence)
    return Decision(
        work=work_of([new.opened.judged.study.workload.use]),
        figure=found.ratio,
        low=found.low,
        high=found.high,
        blocks=(found.n,),
        fewest=fewest_blocks(confidence),
        confidence=confidence,
        doubts=doubts_about(results, [base.treatment, new.treatment], before.load, before.measure),
    )


def _inverse(value: float | None) -> float | None:
    return None if value is None else 1 / value


def _distance(ratio: float | None, low: float | None, high: float | None, margin: float) -> float:
    """Returns how far the interval lies beyond the margin, in its own widths; below zero where it reaches
    in.
    """
    if ratio is None or low is None or high is None or not 0 < low <= high:
        return -math.inf
    edge = math.log(1 + margin)
    gap = max(math.log(low) - edge, -edge - math.log(high))
    return gap / max(math.log(high) - math.log(low), 1e-9)
