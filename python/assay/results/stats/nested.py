"""Replicates within replicates: blocks within the loads of their data (Kalibera and Jones 2013).

What the highest level draws by luck is in every value below it. An interval that is to hold what the next
study would draw anew therefore rests on one mean for each replicate of the highest level, and has their
degrees of freedom, however many values lie below.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

FEWEST_LOADS = 3
"""Loads below which there is no verdict: two have one degree of freedom, whose interval is 13 times as wide
as its standard error.
"""


def group_means(values: Mapping[int, float], groups: Mapping[int, int]) -> dict[int, float]:
    """Returns one mean for each group of blocks: a geometric one, or an arithmetic one where a value is not
    positive. `groups` has the group of each block; blocks without one are left out.
    """
    members: dict[int, list[float]] = defaultdict(list)
    for block, value in values.items():
        if block in groups:
            members[groups[block]].append(value)
    if all(value > 0 for found in members.values() for value in found):
        return {group: float(np.exp(np.mean(np.log(found)))) for group, found in sorted(members.items())}
    return {group: float(np.mean(found)) for group, found in sorted(members.items())}
