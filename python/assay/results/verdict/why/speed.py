"""Has the lines of two treatments at one speed of the machine, which the load generator shows."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.results.ledger import UNNAMED
from assay.results.stats import zero_p
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Floats, Observations
from assay.results.verdict.treatments import Treatment
from assay.results.verdict.why.lines import PairedLines
from assay.results.verdict.why.records import MACHINE
from assay.results.verdict.why.run_ledger import RunLedger

_FEWEST = 6
"""Blocks of which a spread is known well enough to choose by."""
_GAIN = 0.5
"""Share of its variance that a difference of totals may keep."""
_COMMON = 0.05
"""The p below which the median line still differs: the generator has other work, or most lines have moved."""
_SENT = ("Bytes_received_per_query", "Bytes_sent_per_query")
_ALIKE = 0.01
"""Share by which two generators that do the same may send or receive more."""


def do_the_same(seen: Observations, places: tuple[Place, Place], treatments: Sequence[Treatment]) -> bool:
    """Returns whether the load generator has the same to do at both places: the same bytes go to and fro, in
    the same way. Where they were not counted, it is not known to.
    """
    ways = [
        {key: value for key, value in one.varied.items() if key.startswith("load.")}
        for place in places
        for one in treatments
        if one.name == place.treatment
    ]
    if len(ways) != 2 or ways[0] != ways[1]:
        return False
    for counter in _SENT:
        before, after = (list(seen.blocks(counter, place).values()) for place in places)
        if not (before and after and sum(before) and sum(after)):
            return False
        if abs(math.log(float(np.mean(after)) / float(np.mean(before)))) > _ALIKE:
            return False
    return True


def at_one_speed(lines: PairedLines) -> PairedLines:
    """Returns the lines as a machine of one speed would have them, and what its speed made of the totals as a
    line of its own, so that they still add up to what was measured.

    The generator has the same to do for every query, in the same window and on the same machine: where that
    takes longer in one run of a block, so does all else. The lines stay as they are where this does not
    explain half of the variance, and where the median line would differ by more than chance.
    """
    logs = _logs(lines)
    if logs is None:
        return lines
    total, generator = logs
    if float((total - generator).var(ddof=1)) > _GAIN * float(total.var(ddof=1)):
        return lines
    slower = np.exp(generator / 2).tolist()  # each of the two beside their mean
    before = [_of_speed(run, by) for run, by in zip(lines.before, slower, strict=True)]
    after = [_of_speed(run, 1 / by) for run, by in zip(lines.after, slower, strict=True)]
    medians = list(map(_median, before, after))
    if None in medians or (zero_p([one or 0.0 for one in medians]) or 0.0) < _COMMON:
        return lines
    return replace(lines, before=before, after=after)


def _logs(lines: PairedLines) -> tuple[Floats, Floats] | None:
    """Returns the paired differences of the logarithms of the totals and of the generator's time, by block;
    None where one is missing, or there are too few.
    """
    found = []
    for before, after in zip(lines.before, lines.after, strict=True):
        values = (before.total, after.total, before.generator, after.generator)
        known = [value for value in values if value is not None and value > 0]
        if len(known) < len(values):
            return None
        found.append((math.log(known[1] / known[0]), math.log(known[3] / known[2])))
    if len(found) < _FEWEST:
        return None
    total, generator = np.array(found).T
    return total, generator


def _of_speed(run: RunLedger, by: float) -> RunLedger:
    amounts = {name: amount * by for name, amount in run.amounts.items()}
    return replace(run, amounts={**amounts, (MACHINE, ""): run.sum * (1 - by)}, speed=by)


def _median(before: RunLedger, after: RunLedger) -> float | None:
    """Returns the median over groups of the logarithm of after / before, each with the weight of its amounts:
    small groups have few samples, and would blur it. None where no group has both.
    """
    sides = [defaultdict[str, float](float), defaultdict[str, float](float)]
    for side, run in zip(sides, (before, after), strict=True):
        for (group, _), amount in run.amounts.items():
            side[group] += amount
    both = [
        (amount, sides[1][group])
        for group, amount in sides[0].items()
        if group not in (MACHINE, UNNAMED) and amount > 0 and sides[1][group] > 0
    ]
    if not both:
        return None
    apart = sorted((math.log(after / before), before + after) for before, after in both)
    up_to = np.cumsum([weight for _, weight in apart])
    return apart[int(np.searchsorted(up_to, up_to[-1] / 2))][0]
