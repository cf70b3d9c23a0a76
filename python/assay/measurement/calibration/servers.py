"""Carries out `assay calibrate`: the generator's highest rate and lowest latency here, against a server that
does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import msgspec

from assay.base.format.job import EngineOptions, Job, Phases, Target
from assay.design.folder import Event, Hello, RunResult
from assay.design.plan import Script
from assay.measurement.calibration.record import Calibration, cpu_model, save, setting_of
from assay.system.engine import Interrupts, Transport, jobs, null_server, per_second, run_job
from assay.system.host import measuring

_WARMUP_S = 0.5
_BUSY = 0.8
"""Share of its own event loops' time above which the generator itself was the limit."""


@dataclass(frozen=True, kw_only=True)
class Calibrate:
    """The options of `assay calibrate`: a load as in `assay bench`, at several numbers of connections."""

    workload: str
    options: dict[str, Any] = field(default_factory=dict)
    script: Script | None = None
    connections: tuple[int, ...] = (64,)
    ps_mode: str = "auto"
    transport: Transport = "unix"
    engine_threads: int = 0
    window_s: float = 3.0
    repeats: int = 3

    def job(self, target: Target, connections: int, seed: int) -> Job:
        """Returns the engine's job: a closed loop at full speed."""
        return jobs.job(
            "run",
            target=msgspec.structs.replace(target, ps_mode=self.ps_mode),
            workload=self.workload,
            options=self.options,
            script=self.script,
            seed=seed,
            load=jobs.closed_loop(connections),
            phases=Phases(
                warmup=jobs.fixed_warmup(_WARMUP_S),
                measure_ms=jobs.milliseconds(self.window_s),
            ),
            engine=EngineOptions(threads=self.engine_threads),
        )


def calibrate(
    asked: Calibrate, *, on_window: Callable[[int, int], None] | None = None
) -> Iterator[Calibration]:
    """Measures and keeps one calibration for each number of connections; yields each as it is kept.

    `on_window` is called with the connections and the window's number before each window. Raises `HostError`
    without the null server's binary, the engine's errors, and `Interrupted`.
    """
    rows = int(asked.options.get("range_size", 100))
    with (
        Interrupts() as interrupts,
        measuring(f"assay calibrate {asked.workload}"),
        null_server(asked.transport, range_rows=rows) as target,
    ):
        for connections in asked.connections:
            windows: list[RunResult] = []
            loops: list[int] = []

            def heard(event: Event, loops: list[int] = loops) -> None:
                if isinstance(event, Hello):
                    loops.append(event.threads)

            for number in range(1, asked.repeats + 1):
                if on_window is not None:
                    on_window(connections, number)
                job = asked.job(target, connections, seed=number)
                result = run_job(job, interrupts=interrupts, on_event=heard).require().result
                interrupts.raise_if_requested()
                assert result is not None
                windows.append(result)
            found = _summary(asked, job, windows, loops=loops[0])
            save(found)
            yield found


def _summary(asked: Calibrate, job: Job, windows: list[RunResult], *, loops: int) -> Calibration:
    qps = [per_second(window.queries, window.elapsed_s) for window in windows]
    used_us = [window.engine.user_us + window.engine.system_us for window in windows]
    cores = median(us / 1e6 / window.elapsed_s for us, window in zip(used_us, windows, strict=True))
    return Calibration(
        setting=setting_of(job),
        cpu=cpu_model(),
        measured_wall_ns=time.time_ns(),
        window_s=asked.window_s,
        repeats=len(windows),
        ceiling_qps=median(qps),
        lowest_qps=min(qps),
        highest_qps=max(qps),
        ceiling_tps=median(per_second(window.transactions, window.elapsed_s) for window in windows),
        floor_cpu_us_per_query=median(
            us / max(window.queries, 1) for us, window in zip(used_us, windows, strict=True)
        ),
        engine_cores=cores,
        engine_was_limit=cores > _BUSY * loops,
    )
