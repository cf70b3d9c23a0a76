"""How sure an answer is: the number of blocks that agree."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from assay.design.study.claims import ComparisonClaim, Term, nodes
from assay.reporting.report.headline import answer_measure
from assay.reporting.report.material import Material

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.results.verdict import Place


def blocks_agree(material: Material) -> str:
    """Returns the sentence on the blocks in which the compared sides differ in the same direction as over
    all; where nothing is compared, the number of blocks.
    """
    words, ratios = material.words, _by_block(material)
    complete = material.results.blocks_complete
    if len(ratios) < 2 or not sum(ratios.values()):
        return words("answer.blocks", blocks=complete)
    up = sum(ratios.values()) > 0
    agree = sum((one > 0) == up for one in ratios.values() if one)
    return words("answer.blocks-agree", agree=agree, blocks=len(ratios))


def _by_block(material: Material) -> dict[int, float]:
    """Returns the mean log-ratio of the answer's two sides in each block, over all of its load points."""
    found: dict[int, list[float]] = {}
    for measure, left, right in _pairs(material):
        here, there = (_values(material, measure, place) for place in (left, right))
        for block in here.keys() & there.keys():
            found.setdefault(block, []).append(log(here[block] / there[block]))
    most = max(map(len, found.values()), default=0)
    return {block: sum(of) / len(of) for block, of in sorted(found.items()) if len(of) == most}


def _values(material: Material, measure: str, place: tuple[str, float]) -> dict[int, float]:
    one = material.estimate(*place, measure)
    return {} if one is None else {block: value for block, value in one.blocks if value > 0}


def _pairs(material: Material) -> Iterator[tuple[str, tuple[str, float], tuple[str, float]]]:
    """Yields the measure and the two places of each ratio that the answer rests on."""
    results = material.results
    if results.hypotheses:
        hypothesis, verdict = material.study.hypotheses[0], results.hypotheses[0]
        terms = [one for claim in hypothesis.claims for one in nodes(claim.parts) if isinstance(one, Term)]
        compares = all(isinstance(one, ComparisonClaim) for claim in hypothesis.claims for one in claim.parts)
        if len({term.measure for term in terms}) == 1 and compares:
            for part in verdict.parts:
                if len(part.where) == 2 and all(place.load is not None for place in part.where):
                    yield terms[0].measure, _key(part.where[0]), _key(part.where[1])
        return
    measure, baseline = answer_measure(material), results.treatments[:1]
    others = dict.fromkeys(one.other for one in results.comparisons if one.baseline in baseline)
    if measure is not None and len(others) == 1:
        for load in results.loads:
            yield measure, (next(iter(others)), load), (baseline[0], load)


def _key(place: Place) -> tuple[str, float]:
    return place.treatment, place.load or 0.0
