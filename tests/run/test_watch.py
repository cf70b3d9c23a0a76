"""Doubts about a run's own samplers."""

from __future__ import annotations

from assay.measurement.run.sampling import COSTLY, costly_sampler
from assay.system.host import SourceReport


def test_a_source_that_costs_much_is_doubted() -> None:
    cheap = SourceReport("cpu", 10, 0, mean_cost_us=90_000.0, mean_cpu_us=COSTLY * 1e6, error=None)
    assert costly_sampler(cheap) is None  # waiting for a processor is no cost
    dear = SourceReport("processes", 10, 0, mean_cost_us=90_000.0, mean_cpu_us=50_000.0, error=None)
    doubt = costly_sampler(dear)
    assert doubt is not None
    assert (doubt.kind, doubt.value) == ("costly-sampler", 0.05)
    assert "reading processes took 5.0% of a processor" in doubt.message
