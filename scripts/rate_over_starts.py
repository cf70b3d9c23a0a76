"""Prints how often the interval of `--find-rate` over several starts holds the truth: docs/method/scaling.md.

    python -m scripts.rate_over_starts [STUDIES]

Each start of a simulated M/M/1 server multiplies its service rate by a random factor, the noise of starts;
each start is searched as `assay bench --find-rate` does it, with windows of 5 s, and the starts' rates get
their t interval.
"""

from __future__ import annotations

import sys

import numpy as np
from assay.results.stats import KneeSearch, geometric_interval

SERVED_PER_S = 1000.0
WINDOW_S = 5.0
SHARE, LIMIT_S = 0.99, 0.010


def beyond(
    random: np.random.Generator, served: float, rate: float, limit_s: float = LIMIT_S
) -> tuple[int, int]:
    """Returns the slow operations and all operations of one window.

    A warm-up of a quarter of the window begins with an empty queue (Lindley's recursion).
    """
    total = int(rate * WINDOW_S)
    warmup = total // 4
    gaps = random.exponential(1 / rate, total + warmup)
    services = random.exponential(1 / served, total + warmup)
    walk = np.concatenate(([0], np.cumsum(services[:-1] - gaps[1:])))
    responses = walk - np.minimum.accumulate(walk) + services
    return int((responses[warmup:] > limit_s).sum()), total


def knee(served: float) -> float:
    """Returns the true highest rate: response times of M/M/1 are exponential with rate served - arrivals."""
    return served + float(np.log(1 - SHARE)) / LIMIT_S


def rate_of_a_start(random: np.random.Generator, noise: float) -> float:
    """Returns the result of one search on a start whose highest rate varies by `noise` (standard deviation,
    log).
    """
    moved = knee(SERVED_PER_S) * float(np.exp(random.normal(0, noise)))
    served = moved - float(np.log(1 - SHARE)) / LIMIT_S
    seeking = KneeSearch(served * float(np.exp(random.normal(0, 0.05))), SHARE)
    while (rate := seeking.next_rate()) is not None:
        seeking.tell(rate, *beyond(random, served, rate))
    found = seeking.knee().rate
    assert found is not None
    return found


def coverage(noise: float, starts: int, studies: int, seed: int = 1) -> tuple[float, float]:
    """Returns the share of studies whose interval holds the truth, and the median of half its width, as a
    share.
    """
    random = np.random.default_rng(seed)
    held, widths = 0, []
    for _ in range(studies):
        found = geometric_interval([rate_of_a_start(random, noise) for _ in range(starts)])
        assert found.low is not None
        assert found.high is not None
        held += found.low <= knee(SERVED_PER_S) <= found.high
        widths.append((found.high / found.low) ** 0.5 - 1)
    return held / studies, float(np.median(widths))


if __name__ == "__main__":
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| starts differ by | starts | holds the truth | half-width |\n|---|---|---|---|")
    for noise in (0.0, 0.05):
        for starts in (3, 5):
            held, width = coverage(noise, starts, studies)
            print(f"| {100 * noise:g} % | {starts} | {100 * held:.1f} % | {100 * width:.1f} % |", flush=True)
