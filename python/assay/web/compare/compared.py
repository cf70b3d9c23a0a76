"""Two treatments compared: by block where they ran in the same blocks, otherwise as they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assay.stats import paired_ratio, unpaired_ratio
from assay.verdict import Comparison, Estimate, fairness
from assay.web.archive.opened import Opened
from assay.web.compare.likeness import Look, Obstacle, look, obstacles

_OTHER_WAY = {"better": "worse", "worse": "better", "more": "less", "less": "more"}
_FACTS = (
    "processor", "kernel", "host", "server_flavour", "server_version", "server_sha256", "dataset", "data",
    "workload", "assay", "engine",
)  # fmt: skip


@dataclass(frozen=True)
class Side:
    """One side: a treatment of results."""

    opened: Opened
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
    look: Look | None = None  # of a headline measure of two results that are alike


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
    settings: tuple[tuple[str, str, str], ...] | None
    obstacles: tuple[Obstacle, ...] = ()  # to saying how two results look

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
    facts = tuple(
        (name, old, now)
        for (name, old), (_, now) in zip(_facts(base).items(), _facts(new).items(), strict=True)
        if old or now
    )
    canary = (_canary(base), _canary(new))
    against = () if is_paired else tuple(obstacles(base.opened, new.opened, facts, canary))
    sure = max(side.opened.judged.results.gate.confidence for side in (base, new))
    rows = []
    for place, after in _estimates(new).items():
        if place in before:
            row = _row(base, before[place], after, judged.get(place), margin, sure, is_paired=is_paired)
            if row.is_headline and not is_paired and not against:
                row = replace(row, look=look(row.measure, row.low, row.high, margin))
            rows.append(row)
    rows.sort(key=lambda row: (not row.is_headline, -row.distance))
    blocks = {block for row in rows for block, _ in row.base.blocks} & {
        block for row in rows for block, _ in row.new.blocks
    }
    return Compared(
        base, new, is_paired, len(blocks) if is_paired else 0, margin, tuple(rows), facts, canary,
        _unequal(base, new), against,
    )  # fmt: skip


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


def _row(
    base: Side,
    before: Estimate,
    after: Estimate,
    judged: tuple[Comparison, bool] | None,
    margin: float,
    confidence: float,
    *,
    is_paired: bool,
) -> ComparedRow:
    ratio, low, high, blocks = _ratio(before, after, confidence, is_paired=is_paired)
    word = ""
    if judged is not None:
        found, turned = judged
        ratio, low, high, blocks, margin = found.ratio, found.low, found.high, found.blocks, found.margin
        word = found.word
        if turned:
            ratio, low, high = 1 / ratio, _inverse(high), _inverse(low)
            word = _OTHER_WAY.get(word, word)
    headline = before.measure in base.opened.judged.results.headlines
    distance = _distance(ratio, low, high, margin)
    return ComparedRow(
        before.measure, before.unit, before.load, before, after, ratio, low, high, word, blocks, headline,
        headline or distance > 0, distance,
    )  # fmt: skip


def _ratio(
    before: Estimate, after: Estimate, confidence: float, *, is_paired: bool
) -> tuple[float | None, float | None, float | None, int]:
    if is_paired:
        olds, news = dict(before.blocks), dict(after.blocks)
        common = sorted(olds.keys() & news.keys())
        pairs = [(olds[block], news[block]) for block in common]
    else:
        pairs = []
    if is_paired and pairs and all(old > 0 and new > 0 for old, new in pairs):
        found = paired_ratio([old for old, _ in pairs], [new for _, new in pairs])
        return found.ratio, found.low, found.high, found.n
    olds_, news_ = [value for _, value in before.blocks], [value for _, value in after.blocks]
    if not is_paired and min([*olds_, *news_], default=0) > 0:
        apart = unpaired_ratio(news_, olds_, confidence)
        certain = len(olds_) > 1 and len(news_) > 1
        return apart.value, apart.low if certain else None, apart.high if certain else None, apart.n
    return None, None, None, min(len(olds_), len(news_))


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


def _facts(side: Side) -> dict[str, str]:
    columns = ", ".join(f"string_agg(DISTINCT {name}, ', ' ORDER BY {name})" for name in _FACTS)
    row = (
        side.opened.judged.store.cursor()
        .execute(f"SELECT {columns} FROM runs WHERE treatment = ? AND status = 'complete'", [side.treatment])
        .fetchall()[0]
    )
    return {name: value or "" for name, value in zip(_FACTS, row, strict=True)}


def _unequal(base: Side, new: Side) -> tuple[tuple[str, str, str], ...] | None:
    """Returns the server variables that both sides have with other values: the name, and both values."""
    before, after = _settings(base), _settings(new)
    if not before or not after:
        return None
    first = {name for subject in fairness.SUBJECTS for name in subject.variables}
    return tuple(
        (name, before[name], after[name])
        for name in sorted(before.keys() & after.keys(), key=lambda one: (one not in first, one))
        if before[name] != after[name]
    )


def _settings(side: Side) -> dict[str, str]:
    found = fairness.variables_in_force(side.opened.judged.store.cursor())
    return {
        name: " / ".join(sorted(set(values[side.treatment])))
        for name, values in found.items()
        if side.treatment in values
    }


def _canary(side: Side) -> float | None:
    """Returns the mean time of the canary beside the runs of a side, in microseconds."""
    ((found,),) = (
        side.opened.judged.store.cursor()
        .execute(
            "SELECT avg(value) FROM samples WHERE source = 'canary' AND name = 'cpu_us' AND treatment = ?",
            [side.treatment],
        )
        .fetchall()
    )
    return None if found is None else float(found)
