"""Does the interval over starts hold the truth where starts differ, and one search's not?"""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import geometric_interval

from scripts.rate_over_starts import SERVED_PER_S, coverage, knee, rate_of_a_start


@pytest.mark.long
def test_the_interval_over_starts_has_what_starts_differ_by() -> None:
    held, width = coverage(0.05, starts=5, studies=12)
    assert held >= 10 / 12
    assert 0.03 < width < 0.13


def test_searches_of_one_start_do_not_have_it() -> None:
    """The planted fault: five searches of a start that is 10 % off are precise, and miss."""
    random = np.random.default_rng(2)
    found = geometric_interval([1.1 * rate_of_a_start(random, 0.0) for _ in range(5)])
    assert found.low is not None
    assert found.low > knee(SERVED_PER_S)
