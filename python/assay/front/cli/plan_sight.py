"""Puts into words which differences the planned blocks can show."""

from __future__ import annotations

import time
from collections.abc import Iterator

from assay.base.wording import counted, duration
from assay.design.plan import estimate
from assay.experiments.lab import Forecast, KnownNoise, Sight

_FOUND = "in 8 studies of 10"
"""The probability 0.8 of every figure here."""


def sight_lines(forecast: Forecast) -> Iterator[str]:
    """Yields what the blocks can show, a line for each noise of single runs; nothing for one treatment."""
    study, plan = forecast.study, forecast.plan
    if not forecast.sights:
        return
    blocks = counted(study.design.blocks, "block")
    if any(sight.seen is None for sight in forecast.sights):
        yield f"shows     {blocks}: figures, and no verdict, which needs more of them"
    else:
        yield f"shows     what {blocks} can tell, {_FOUND}:"
    others = [run.run_id for run in plan.runs[1:]]
    block_s = estimate(study, plan, forecast.sizes, others).until_judging_s * len(plan.treatments)
    what = "effect" if study.design.screens else "difference"
    for sight in forecast.sights:
        yield f"          {_basis(sight, forecast.known)}: {_told(sight, what)}{_price(sight, block_s)}"
    if any(sight.basis == "supposed" for sight in forecast.sights):
        yield "          how much single runs vary here is not measured: assay aa STUDY does that"


def _told(sight: Sight, what: str) -> str:
    if sight.seen is None or sight.beyond_margin is None:
        return ""
    return (
        f"the direction of a {what} from {_percent(sight.seen - 1)} on, better or worse from"
        f" {_percent(sight.beyond_margin - 1)} on; two that are equal are called the same in"
        f" {100 * sight.same:.0f} % of studies; "
    ).replace("a effect", "an effect")


def _price(sight: Sight, block_s: float) -> str:
    needed = sight.blocks_for_3_percent
    if needed is None:
        return "3 % takes more than 200 blocks"
    return f"3 % takes {needed} blocks, {duration(needed * block_s)}"


def _basis(sight: Sight, known: KnownNoise | None) -> str:
    """Returns by how much single runs vary, and how that is known."""
    noise = f"if single runs vary by {_percent(sight.noise)}"
    if sight.basis == "copies" and known is not None:
        at = time.strftime("%Y-%m-%d", time.localtime(known.worst.measured_wall_ns / 1e9))
        return f"{noise} (assay aa of {at}, {known.worst.measure}, {known.worst.degrees} degrees of freedom)"
    return f"{noise} (as the study says)" if sight.basis == "stated" else noise


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:,.0f} %"
