"""Shares one job among the generators of a fleet, by event loops."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from assay.base.format.job import FleetPart, Job, UntilSteadyWarmup, UntilToldWarmup


def loops_for(connections: int, loops: Sequence[int]) -> list[int]:
    """Returns the event loops of each generator for so many connections, of which every loop needs one.

    While there are too few connections, the generators with most loops give up one each; a generator
    without a loop has no part in the load.
    """
    left = list(loops)
    while sum(left) > max(connections, 1):
        most = max(left)
        left[len(left) - 1 - left[::-1].index(most)] -= 1
    return left


def connections_of(job: Job) -> int:
    """Returns the connections of a generator with this job, of those of all: the share of its event loops."""
    part, total = job.load.part, job.load.connections
    if part is None:
        return total
    before = part.first_loop * total // part.loops
    return (part.first_loop + job.engine.threads) * total // part.loops - before


def split(job: Job, loops: Sequence[int]) -> list[Job]:
    """Returns the job of each generator, of which each has so many event loops.

    Connections, terminals, rate, queue and transactions stay those of the whole fleet: every event loop takes
    its exact share of them. The load waits for its start, and a warm-up that ends when throughput is level
    ends when the coordinator says so, for no generator sees the whole.
    """
    warmup = job.phases.warmup
    if isinstance(warmup, UntilSteadyWarmup):
        warmup = UntilToldWarmup()
    phases = replace(job.phases, hold=True, warmup=warmup)
    jobs, first = [], 0
    for own in loops:
        part = FleetPart(first_loop=first, loops=sum(loops))
        jobs.append(
            replace(
                job,
                load=replace(job.load, part=part),
                engine=replace(job.engine, threads=own),
                phases=phases,
            )
        )
        first += own
    return jobs
