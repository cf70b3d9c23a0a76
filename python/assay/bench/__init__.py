"""Carries out one measurement without a study, and returns it as a record."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.bench import storage
    from assay.bench.measure import Measured, measure
    from assay.bench.own_server import own_servers
    from assay.bench.probe import Objective, Probe
    from assay.bench.rate_over_starts import STARTS, SearchedStarts, Start, find_rate_over_starts
    from assay.bench.rate_search import Found, RateQuestion, Search, Searched, find_rate
    from assay.bench.record import distribution
    from assay.bench.request import Bench, Listener
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "STARTS",
    "Bench",
    "Found",
    "Listener",
    "Measured",
    "Objective",
    "Probe",
    "RateQuestion",
    "Search",
    "Searched",
    "SearchedStarts",
    "Start",
    "distribution",
    "find_rate",
    "find_rate_over_starts",
    "measure",
    "own_servers",
    "storage",
]
