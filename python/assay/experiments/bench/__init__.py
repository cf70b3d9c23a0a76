"""Carries out one measurement without a study, and returns it as a record."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.bench import disk, storage
    from assay.experiments.bench.measure import ActionOutcome, measure
    from assay.experiments.bench.own_server import own_servers
    from assay.experiments.bench.probe import Objective, Probe
    from assay.experiments.bench.progress import ServerProgress
    from assay.experiments.bench.rate_over_starts import STARTS, SearchedStarts, Start, find_rate_over_starts
    from assay.experiments.bench.rate_search import RateQuestion, Search, Searched, SearchOutcome, find_rate
    from assay.experiments.bench.record import distribution
    from assay.experiments.bench.request import Bench, Listener
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "STARTS",
    "ActionOutcome",
    "Bench",
    "Listener",
    "Objective",
    "Probe",
    "RateQuestion",
    "Search",
    "SearchOutcome",
    "Searched",
    "SearchedStarts",
    "ServerProgress",
    "Start",
    "disk",
    "distribution",
    "find_rate",
    "find_rate_over_starts",
    "measure",
    "own_servers",
    "storage",
]
