"""The sampler `canary`, which times a fixed piece of work beside the load: a changed time means that the
machine changed.

Clock frequency, a neighbour on the same cores or memory, and stolen time all show in it. It costs about a
thousandth of one core.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from statistics import median

from assay.design.folder import Doubted

SWING = 1.25
"""Ratio of a stretch's median to the run's above which measurements of the run are not comparable."""
STRETCH = 10
"""Readings whose median is compared, so that a hiccup of one second does not count as a change of the
machine.
"""

_BLOCK = bytes(64 * 1024)
_TURNS = 16


class CanarySource:
    """Source `canary`: `cpu_us` (processor time of this thread) and `wall_us` (elapsed time) of hashing 1 MiB
    with SHA-256.

    `wall_us` includes waiting for a processor, which the load itself causes; only `cpu_us` leads to a doubt.
    """

    name = "canary"

    def __init__(self) -> None:
        self._cpu_us: list[float] = []

    def read(self) -> dict[str, float]:
        """Hashes the data once and returns its times."""
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        for _ in range(_TURNS):
            hashlib.sha256(_BLOCK).digest()
        cpu_us, wall_us = (time.thread_time_ns() - cpu) / 1e3, (time.perf_counter_ns() - wall) / 1e3
        self._cpu_us.append(cpu_us)
        return {"cpu_us": cpu_us, "wall_us": wall_us}

    def doubt(self) -> Doubted | None:
        """Returns the doubt about all readings so far; None when there is none."""
        return noisy_canary(self._cpu_us)


def noisy_canary(costs: Sequence[float]) -> Doubted | None:
    """Returns a doubt when the median of some stretch is at least `SWING` times, or at most 1/`SWING` of, the
    median of all readings.

    None with fewer than two whole stretches, and where the clock of the thread is too coarse to tell.
    """
    stretches = [costs[at : at + STRETCH] for at in range(0, len(costs) - STRETCH + 1, STRETCH)]
    if len(stretches) < 2:
        return None
    usual, medians = median(costs), [median(stretch) for stretch in stretches]
    if 0 in (usual, *medians):
        return None
    ratios = [one / usual for one in medians]
    swing = max(max(ratio, 1 / ratio) for ratio in ratios)
    if swing <= SWING:
        return None
    return Doubted(
        kind="noisy-canary",
        message=(
            f"a fixed piece of work beside the load took {min(ratios):.2f} to {max(ratios):.2f} times its"
            " median time: the speed of the machine changed"
        ),
        value=swing,
        limit=SWING,
    )
