"""One measurement without a study: what was asked for, carried out, as a record."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.bench import storage
    from assay.bench.measure import Measured, measure
    from assay.bench.own_server import on_own_server
    from assay.bench.probe import Objective, Probe
    from assay.bench.rate_search import Found, RateQuestion, Search, Searched, find_rate
    from assay.bench.record import distribution, whole_times
    from assay.bench.request import Bench, Listener
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Bench",
    "Found",
    "Listener",
    "Measured",
    "Objective",
    "Probe",
    "RateQuestion",
    "Search",
    "Searched",
    "distribution",
    "find_rate",
    "measure",
    "on_own_server",
    "storage",
    "whole_times",
]
