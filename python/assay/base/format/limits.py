"""Limits of doubts that the engine raises, too: made of what it says by `make schema`, never edited."""

LITTLES_LAW = 0.02
"""Share by which Little's law may be off before time counts as lost."""

GENERATOR_BUSY = 0.8
"""Share of its event loops' time from which on the load generator counts as busy."""

LATE_PACING_NS = 1000000
"""Nanoseconds of lateness of starting arrivals, at its 99th percentile, beyond which pacing is doubted."""

STARVED = 0.5
"""Share of the mean that the least served connection or terminal must have."""

STARVED_FROM = 30.0
"""Mean of transactions below which fairness says nothing."""

CONSERVATION = 0.001
"""Share of the statements by which the counts of server and generator may differ."""

CONSERVATION_AROUND = 10
"""Statements by which the counts may differ besides: questions around the load, goodbyes that come late."""

SAMPLES_PER_SECOND = 5
"""Statements per second, rounded up, of a lab that samples the server during the load."""
