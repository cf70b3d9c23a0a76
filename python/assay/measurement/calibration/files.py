"""Carries out `assay calibrate files`: the generator's highest rate and lowest latency here, for loads on
files.

The load reads /dev/zero (null(4)), which answers at once: every system call of an I/O engine is made, and
ends in the kernel with the filling of a buffer. There is no file system, no block layer and no disk.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import msgspec

from assay.base.format.job import DiskJob, Phases
from assay.design.folder import RunResult
from assay.design.storage import sections_of, stages_of
from assay.measurement.calibration.io_engines import IO_ENGINES
from assay.measurement.calibration.record import Calibration, cpu_model, save, setting_of
from assay.system.engine import Interrupts, jobs, per_second, run_job
from assay.system.host import measuring

Point = tuple[str, int, int]
"""A combination to calibrate: I/O engine, depth, workers."""

_DEVICE = "/dev/zero"
_BYTES = 64 << 20
_WARMUP_S = 0.5


@dataclass(frozen=True, kw_only=True)
class CalibrateFiles:
    """The options of `assay calibrate files`. `iodepth` is 1 in engines without a queue."""

    ioengine: tuple[str, ...] = IO_ENGINES
    iodepth: tuple[int, ...] = (1, 32)
    threads: tuple[int, ...] = (1,)
    rw: str = "randread"
    bs: str = "4k"
    window_s: float = 3.0
    repeats: int = 3

    @property
    def points(self) -> list[Point]:
        """Returns the combinations to measure: I/O engine, depth, workers."""
        found = itertools.product(self.ioengine, self.iodepth, self.threads)
        return list(
            dict.fromkeys(
                (engine, depth if engine in ("libaio", "io_uring") else 1, workers)
                for engine, depth, workers in found
            )
        )

    def job(self, point: Point, seed: int) -> DiskJob:
        """Returns the engine's job: a closed loop at full speed."""
        options = dict(zip(("ioengine", "iodepth", "numjobs"), point, strict=True))
        options |= {"filename": _DEVICE, "size": _BYTES, "rw": self.rw, "bs": self.bs, "group_reporting": 1}
        options |= {"runtime": "1h", "time_based": 1}  # the phases end it
        text = "\n".join(["[files]", *(f"{name}={value}" for name, value in options.items())])
        (stage,) = stages_of(sections_of(text, Path("--")))
        phases = Phases(warmup=jobs.fixed_warmup(_WARMUP_S), measure_ms=jobs.milliseconds(self.window_s))
        return msgspec.structs.replace(stage.job, seed=seed, phases=phases)


def calibrate_files(
    asked: CalibrateFiles, *, on_window: Callable[[str, int], None] | None = None
) -> Iterator[Calibration]:
    """Measures and keeps one calibration for each combination; yields each as it is kept.

    `on_window` is called with the combination in words and the window's number before each window. Raises the
    engine's errors, and `Interrupted`.
    """
    with Interrupts() as interrupts, measuring("assay calibrate files"):
        for point in asked.points:
            words = "{} iodepth={} numjobs={}".format(*point)
            windows: list[RunResult] = []
            for number in range(1, asked.repeats + 1):
                if on_window is not None:
                    on_window(words, number)
                job = asked.job(point, seed=number)
                result = run_job(job, interrupts=interrupts).require().result
                interrupts.raise_if_requested()
                assert result is not None
                windows.append(result)
            found = _summary(job, windows)
            save(found)
            yield found


def _summary(job: DiskJob, windows: list[RunResult]) -> Calibration:
    rates = [per_second(window.transactions, window.elapsed_s) for window in windows]
    used_us = [window.engine.user_us + window.engine.system_us for window in windows]
    pairs = list(zip(used_us, windows, strict=True))
    return Calibration(
        setting=setting_of(job),
        cpu=cpu_model(),
        measured_wall_ns=time.time_ns(),
        window_s=job.phases.measure_ms / 1000,
        repeats=len(windows),
        ceiling_qps=median(rates),
        lowest_qps=min(rates),
        highest_qps=max(rates),
        ceiling_tps=median(rates),
        floor_cpu_us_per_query=median(us / max(window.transactions, 1) for us, window in pairs),
        engine_cores=median(us / 1e6 / window.elapsed_s for us, window in pairs),
        engine_was_limit=True,  # nothing waits for anything else
    )
