"""Finds the tolerance of a gate, and whether the blocks of a check could have shown a change of its size.

A gate that only a change of 300 % can trip would pass whatever comes: such a check is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from assay.design.study import ComparisonClaim, GateRule, Term, work_of
from assay.design.study.claims import Band, Figure, Link, Quotient
from assay.results.stats import MOST_BLOCKS, fewest_blocks
from assay.results.verdict.answers import Part
from assay.results.verdict.evidence import Decision, doubts_about, gravest
from assay.results.verdict.gates.checks import JudgedResults
from assay.results.verdict.gates.missing import Lack, lack


def tolerance_of(rule: GateRule) -> float | None:
    """Returns the change that a gate allows, as a ratio above 1: 1.031 of `new / base >= 0.97`; the smallest
    of several. None for a claim that allows none, such as one about a level or an improvement.
    """
    links = (link for part in rule.claim.parts if isinstance(part, ComparisonClaim) for link in part.links)
    return min((one for link in links for one in _allowed(link, rule.margin)), default=None)


def _allowed(link: Link, margin: float) -> Iterator[float]:
    if link.by is not None:
        yield from _of_band(link.by, ">" if link.relation == ">" else "<")
    elif isinstance(link.left, Quotient) and isinstance(link.right, Figure):
        one, other = link.left.numerator, link.left.denominator
        if one.measure == other.measure and one.selector != other.selector:
            yield from _of_figure(link.relation, link.right.value, margin)
    elif isinstance(link.left, Term) and isinstance(link.right, Term) and link.relation in (">=", "<=", "~"):
        yield from [1 + margin] if margin else []


def _of_figure(relation: str, figure: float, margin: float) -> Iterator[float]:
    if relation == "~" and margin:
        yield 1 + margin
    elif relation in (">", ">=") and 0 < figure < 1:
        yield 1 / figure
    elif relation in ("<", "<=") and figure > 1:
        yield figure


def _of_band(band: Band, order: Literal[">", "<"]) -> Iterator[float]:
    near, far = band.ratios(order)
    if near == 1 and far is not None:
        yield max(far, 1 / far)


def decision_of(part: Part, found: JudgedResults) -> Decision | None:
    """Returns the ratio of a part with all that it rests on; None where its figure is no ratio of two
    treatments.
    """
    figure = part.figure
    if figure is None or figure.kind != "ratio" or len(part.treatments) != 2:
        return None
    gate = found.results.gate
    return Decision(
        work=work_of([found.study.workload.use]),
        figure=figure.value,
        low=figure.low,
        high=figure.high,
        blocks=(part.blocks,),
        fewest=fewest_blocks(gate.confidence),
        confidence=gate.confidence,
        doubts=gravest(
            doubts_about(found.results, part.treatments, part.load), dict.fromkeys(part.doubts, "warning")
        ),
    )


def is_blind(decision: Decision, tolerance: float | None) -> bool:
    """Returns whether the smallest change that blocks could show is larger than a tolerance."""
    smallest = decision.smallest_ratio
    return tolerance is not None and smallest is not None and smallest > tolerance


def too_coarse(decision: Decision, tolerance: float) -> Lack:
    """Returns the lack of blocks that would show a change of the size of a tolerance."""
    shown = decision.smallest_ratio or 1.0
    needed = decision.blocks_for(tolerance)
    known = lack(
        "blind" if needed is not None else "blind-for-ever",
        shown=100 * (shown - 1),
        tolerance=100 * (tolerance - 1),
        blocks=min(decision.blocks),
    )
    last = ("most", MOST_BLOCKS) if needed is None else ("needed", needed)
    return Lack(known.key, (*known.values, last))
