"""How many more blocks would probably settle an undecided comparison."""

from __future__ import annotations

import math

from scipy import stats

from assay.stats.intervals import t_quantile
from assay.stats.region import Region

#: Beyond this many blocks in all, the honest answer is "not by repeating".
MOST_BLOCKS = 200


def more_blocks(
    ratio: float,
    log_sd: float,
    n: int,
    region: Region,
    confidence: float = 0.95,
    *,
    power: float = 0.8,
    fewest: int = 2,
) -> int | None:
    """Blocks to add so that, with probability `power`, the interval clears the region's edge or fits inside.

    Takes the estimate and the spread seen so far for the truth. The interval's half-width on the log scale,
    plus the estimate's own luck, must be smaller than the distance to the nearest edge. `fewest` is the
    number of blocks below which no verdict is given at all. None when more than 200 blocks would be needed:
    the truth then lies on the edge, or the noise is hopeless.
    """
    edges = [abs(math.log(ratio / edge)) for edge in (region.low, region.high) if edge > 0]
    distance = min(edges)
    luck = float(stats.norm.ppf(power))
    for total in range(max(n + 1, fewest), MOST_BLOCKS + 1):
        needed = (t_quantile((1 + confidence) / 2, total - 1) + luck) * log_sd / math.sqrt(total)
        if needed < distance:
            return total - n
    return None
