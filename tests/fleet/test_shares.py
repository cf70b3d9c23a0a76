"""Event loops of generators, and their jobs."""

from __future__ import annotations

import pytest
from assay.base.format.job import FixedWarmup, Load, Phases, Target, UntilSteadyWarmup, UntilToldWarmup
from assay.measurement.fleet.shares import connections_of, loops_for, split
from assay.system.engine import jobs


@pytest.mark.parametrize(
    ("connections", "loops", "expected"),
    [
        (64, [6, 3], [6, 3]),
        (9, [6, 3], [6, 3]),
        (8, [6, 3], [5, 3]),
        (3, [6, 3], [2, 1]),
        (1, [6, 3], [1, 0]),
        (1, [1, 1, 1, 1], [1, 0, 0, 0]),
        (0, [2], [1]),
    ],
)
def test_every_event_loop_has_a_connection(connections: int, loops: list[int], expected: list[int]) -> None:
    assert loops_for(connections, loops) == expected


def test_jobs_differ_in_nothing_but_their_part() -> None:
    job = jobs.job(
        "run",
        target=Target(user="root", database="assay", socket="/x"),
        workload="oltp_read_only",
        options={},
        seed=3,
        load=Load(connections=40, queue_limit=17),
        phases=Phases(warmup=FixedWarmup(duration_ms=1000)),
    )
    first, second = split(job, [6, 3])
    assert (first.engine.threads, second.engine.threads) == (6, 3)
    assert first.load.part is not None
    assert second.load.part is not None
    assert (first.load.part.first_loop, first.load.part.loops) == (0, 9)
    assert (second.load.part.first_loop, second.load.part.loops) == (6, 9)
    for part in (first, second):
        assert part.phases.hold
        assert part.phases.warmup == job.phases.warmup
        assert (part.load.connections, part.load.queue_limit, part.seed) == (40, 17, 3)


def test_no_generator_judges_the_warm_up_of_all() -> None:
    job = jobs.job(
        "run",
        target=Target(user="root", database="assay", socket="/x"),
        workload="oltp_read_only",
        options={},
        seed=3,
        phases=Phases(warmup=UntilSteadyWarmup(cap_ms=1000)),
    )
    assert [one.phases.warmup for one in split(job, [1, 1])] == [UntilToldWarmup()] * 2


@pytest.mark.parametrize("loops", [[1], [2, 1], [1, 3, 2], [5, 5, 5, 1]])
def test_every_connection_is_of_one_generator(loops: list[int]) -> None:
    job = jobs.job(
        "run",
        target=Target(user="root", database="d", socket="/s"),
        workload="oltp_point_select",
        options={},
        seed=1,
        load=Load(connections=37),
        phases=Phases(measure_ms=1),
    )
    each = [connections_of(part) for part in split(job, loops)]
    assert sum(each) == 37
    assert all(abs(own - 37 * count / sum(loops)) < 1 for own, count in zip(each, loops, strict=True))
