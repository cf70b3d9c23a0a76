"""The knee's interval holds the truth as often as it states, in searches on a simulated M/M/1 server.

Of an M/M/1 server with service rate µ, response times are exponential with rate µ − λ: the objective "a share
s within T" is met up to λ = µ + ln(1 − s) / T, exactly.
"""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats.knee import Knee, KneeSearch

from scripts.rate_over_starts import SERVED_PER_S, beyond

SEARCHES = 40

pytestmark = pytest.mark.sampled(1)


def search(seed: int, share: float, limit_s: float) -> Knee:
    random = np.random.default_rng(seed)
    # The closed-loop probe that says where to look is itself a measurement.
    seeking = KneeSearch(SERVED_PER_S * float(np.exp(random.normal(0, 0.05))), share)
    while (rate := seeking.next_rate()) is not None:
        seeking.tell(rate, *beyond(random, SERVED_PER_S, rate, limit_s))
    return seeking.knee()


@pytest.mark.parametrize(("share", "limit_s"), [(0.99, 0.010), (0.99, 0.050), (0.95, 0.006)])
def test_intervals_hold_the_true_knee(share: float, limit_s: float) -> None:
    truth = SERVED_PER_S + np.log(1 - share) / limit_s
    found = [search(seed, share, limit_s) for seed in range(SEARCHES)]
    assert np.mean([knee.low <= truth <= knee.high for knee in found]) >= 0.83
    assert np.mean([knee.rate for knee in found]) == pytest.approx(truth, rel=0.03)
    assert np.median([(knee.high / knee.low) ** 0.5 - 1 for knee in found]) < 0.1
