"""Estimates how many more blocks would probably decide an undecided verdict."""

from __future__ import annotations

import math

from assay.results.stats import special
from assay.results.stats.intervals import t_quantile

#: Beyond this many blocks in all, the honest answer is "not by repeating".
MOST_BLOCKS = 200


def more_blocks(
    distance: float,
    sd: float,
    n: int,
    confidence: float = 0.95,
    *,
    power: float = 0.8,
    fewest: int = 2,
) -> int | None:
    """Returns how many blocks to add so that, with probability `power`, the interval of the mean excludes the
    edge.

    `distance` is how far the estimate lies from the edge, `sd` the standard deviation of single blocks, in
    the same unit. Both are assumed true: the later half-width, plus the estimate's own error, must be smaller
    than the distance. `fewest` is the number of blocks below which no verdict is given at all. None when more
    than 200 blocks would be needed: the truth then lies on the edge, or the noise is too large.
    """
    luck = float(special.ndtri(power))
    for total in range(max(n + 1, fewest), MOST_BLOCKS + 1):
        needed = (t_quantile((1 + confidence) / 2, total - 1) + luck) * sd / math.sqrt(total)
        if needed < abs(distance):
            return total - n
    return None
