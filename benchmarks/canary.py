"""Times a fixed loop beside every cell: when its time varies, the machine does, and narrow ratios mean
nothing.
"""

from __future__ import annotations

import time

_ROUNDS = 500_000


def canary_s() -> float:
    """Returns the seconds of process CPU that a fixed loop takes now."""
    start = time.process_time()
    total = 0
    for number in range(_ROUNDS):
        total += number & 7
    return time.process_time() - start
