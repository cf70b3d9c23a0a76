"""Has the lines of two treatments at one speed of the machine, which the load generator shows, or else beside
what most of them share.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from assay.results.ledger import UNNAMED
from assay.results.stats import zero_p
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Floats, Observations
from assay.results.verdict.treatments import Treatment
from assay.results.verdict.why.lines import PairedLines
from assay.results.verdict.why.records import ALIKE, MACHINE
from assay.results.verdict.why.run_ledger import RunLedger

_FEWEST = 6
"""Blocks of which a spread is known well enough to choose by."""
_GAIN = 0.5
"""Share of its variance that a difference of totals may keep."""
_COMMON = 0.05
"""The p below which the median line still differs: the generator has other work, or most lines have moved."""
_APART = 1 / 3
"""Share of the groups, by weight, that may differ from the median line."""
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
    takes longer in one run of a block, so does all else. Where this does not explain half of the variance, or
    the median line would then differ by more than chance, the generator had other work, or most lines have
    moved: all are taken beside the median line, if that explains as much and most lines agree on it. What
    they share with it is no statement on the machine. Else the lines stay as they are.
    """
    total = _logs((before.total, after.total) for before, after in _pairs(lines))
    if total is None or len(total) < _FEWEST:
        return lines
    generator = _logs((before.generator, after.generator) for before, after in _pairs(lines))
    if generator is not None and _explains(generator, total):
        found = _beside(lines, generator, MACHINE)
        medians = _medians(found)
        if medians is not None and _stays(medians):
            return found
    shared = _medians(lines)
    if shared is None or not _explains(shared, total):
        return lines
    found = _beside(lines, shared, ALIKE)
    return found if _agree(found) else lines


def _pairs(lines: PairedLines) -> Iterator[tuple[RunLedger, RunLedger]]:
    return zip(lines.before, lines.after, strict=True)


def _explains(part: Floats, whole: Floats) -> bool:
    """Returns whether a part of differences takes enough of their variance away."""
    return float((whole - part).var(ddof=1)) <= _GAIN * float(whole.var(ddof=1))


def _stays(differences: Floats) -> bool:
    return (zero_p(differences.tolist()) or 0.0) >= _COMMON


def _beside(lines: PairedLines, logs: Floats, name: str) -> PairedLines:
    """Returns the lines without what the logarithms say that their totals differ by, which is a line of this
    name.
    """
    slower = np.exp(logs / 2).tolist()  # each of the two beside their mean
    return replace(
        lines,
        before=[_of_speed(run, by, name) for run, by in zip(lines.before, slower, strict=True)],
        after=[_of_speed(run, 1 / by, name) for run, by in zip(lines.after, slower, strict=True)],
    )


def _logs(pairs: Iterable[tuple[float | None, float | None]]) -> Floats | None:
    """Returns the logarithm of after / before, by block; None where one is missing."""
    found = []
    for before, after in pairs:
        if not before or not after or min(before, after) < 0:
            return None
        found.append(math.log(after / before))
    return np.array(found)


def _of_speed(run: RunLedger, by: float, name: str) -> RunLedger:
    amounts = {line: amount * by for line, amount in run.amounts.items()}
    return replace(run, amounts={**amounts, (name, ""): run.sum * (1 - by)}, speed=by)


def _medians(lines: PairedLines) -> Floats | None:
    """Returns the median over groups of the logarithm of after / before, by block. None where a block has no
    group with both.
    """
    found = []
    for differences in zip(*_differences(lines).values(), strict=True):
        apart = sorted(one for one in differences if one[1] > 0)
        if not apart:
            return None
        up_to = np.cumsum([weight for _, weight in apart])
        found.append(apart[int(np.searchsorted(up_to, up_to[-1] / 2))][0])
    return np.array(found) if found else None


def _agree(lines: PairedLines) -> bool:
    """Returns whether most groups, by their weight, do not differ for certain: the median is that of one or
    two, or of none, where they go apart.
    """
    of_all, of_those = 0.0, 0.0
    for differences in _differences(lines).values():
        weight = sum(one[1] for one in differences)
        of_all += weight
        if not _stays(np.array([one[0] for one in differences])):
            of_those += weight
    return of_those <= _APART * of_all


def _differences(lines: PairedLines) -> dict[str, list[tuple[float, float]]]:
    """Returns for each group and block the logarithm of after / before, and its weight, which goes as one
    over its noise: groups have as many samples as they have time. Without a weight where a run has nothing.
    """
    found: dict[str, list[tuple[float, float]]] = {
        group: [] for group in lines.groups if group not in (MACHINE, ALIKE, UNNAMED)
    }
    for before, after in _pairs(lines):
        sides = [defaultdict[str, float](float), defaultdict[str, float](float)]
        for side, run in zip(sides, (before, after), strict=True):
            for (group, _), amount in run.amounts.items():
                side[group] += amount
        for group, of_group in found.items():
            one, other = sides[0][group], sides[1][group]
            both = one > 0 and other > 0
            of_group.append((math.log(other / one), math.sqrt(one + other)) if both else (0.0, 0.0))
    return found
