"""Limits of doubts that several parts look for: the engine, a fleet, the live page and the verdict.

Each is written once for Python. The engine has its own copies in `crates/engine/src/say/doubts`, and a test
holds them equal to these.
"""

LITTLES_LAW = 0.02
"""Share by which Little's law may be off before time counts as lost."""

STARVED, STARVED_FROM = 0.5, 30.0
"""Share of the mean that the least served connection or terminal must have, and the mean of transactions
below which fairness says nothing."""

GENERATOR_BUSY = 0.8
"""Share of its event loops' time from which on the load generator counts as busy."""

LATE_PACING_MS = 1.0
"""Lateness of starting arrivals, at its 99th percentile, beyond which pacing is doubted."""

UNCONSERVED, AROUND, SAMPLES_PER_SECOND = 0.001, 10, 5
"""Share of the statements by which the counts of server and generators may differ, a number besides, and the
statements per second of a lab that samples."""

NEAR_CEILING = 0.5
"""Share of what generators reach on servers that do nothing above which they may have affected the result."""
