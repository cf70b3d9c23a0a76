"""The ceiling of a host's generator: what it drives at most, on a server that answers at once."""

from __future__ import annotations

from assay.base.format.job import EngineOptions, Phases
from assay.system.engine import Interrupts, jobs, null_server, per_second, run_job, workload_catalogue

_CONNECTIONS_A_LOOP = 16
_WARMUP_S = 0.5


def ceiling(loops: int, seconds: float) -> float:
    """Returns the queries/s of a generator with so many event loops on a null server beside it, measured for
    so many seconds with the first workload that the engine has. Raises `AssayError` when it cannot be
    measured.
    """
    with null_server("unix") as target:
        job = jobs.job(
            "run",
            target=target,
            workload=workload_catalogue()[0]["name"],
            options={"tables": 1, "table_size": 1000},
            seed=1,
            load=jobs.closed_loop(_CONNECTIONS_A_LOOP * loops),
            engine=EngineOptions(threads=loops),
            phases=Phases(
                warmup=jobs.fixed_warmup(_WARMUP_S),
                measure_ms=jobs.milliseconds(seconds),
            ),
        )
        result = run_job(job, interrupts=Interrupts()).require().result
    assert result is not None
    return per_second(result.queries, result.elapsed_s)
