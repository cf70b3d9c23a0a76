"""A server that answers at once, and a short load on it: what generators of every backend share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from assay.base.format.job import Job, Load, Phases, Target
from assay.system.engine import jobs, null_server


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with null_server("unix") as target:
        yield target


@pytest.fixture
def job(target: Target) -> Job:
    return jobs.job(
        "run",
        target=target,
        workload="oltp_point_select",
        options={"tables": 1, "table_size": 1000},
        seed=7,
        load=Load(connections=4),
        phases=Phases(measure_ms=500, interval_ms=100),
    )
