"""Carries out the profile window of one rung, and records what was watched of which load."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from assay.base.errors import AssayError, Interrupted
from assay.base.format.job import Job, Phases
from assay.base.privileges import PRIVILEGES
from assay.design.folder import (
    Event,
    Hello,
    Interval,
    ProfileFolder,
    ProfileSource,
    ProfileWindow,
    Stretch,
    read_events,
    write_window,
)
from assay.design.study import Load
from assay.measurement.run.profile.stages import Bounds, Stages
from assay.measurement.run.profile.watcher import Stage, Watched, missing
from assay.measurement.run.profile.watchers import WATCHERS
from assay.measurement.source import Server
from assay.system.engine import JobOutcome, jobs
from assay.system.host import measured_here

WARMUP_S = 5.0
"""The data are warm: the measured load has just ended. Connections, plans and group commit settle again."""
_OTHER_SEED = 500_009
"""Keeps the operations of a profile window apart from those of all rungs: equal ones would change nothing."""

_LATE_NS = 200_000_000
"""So much later than the last interval a stretch may end: the load has more to do until its end is heard."""

CarryOut = Callable[[Job, ProfileFolder, Callable[[Event], None]], JobOutcome]


@dataclass(frozen=True)
class Profiled:
    """A profile window whose load has ended, and whose sources are read once the server has."""

    folder: ProfileFolder
    stages: Stages
    failed: str | None

    def write(self) -> None:
        """Reads the sources and writes the window."""
        sources = self.stages.read()
        stretches = dict(_stretches(self.folder, self.stages.bounds)) if self.failed is None else {}
        failed = self.failed
        if failed is None and "main" not in stretches:
            failed = "the load had no window"
        write_window(
            self.folder,
            ProfileWindow(
                main=stretches.get("main"),
                tail=stretches.get("tail"),
                counting=stretches.get("counting"),
                failed=failed,
                sources=sources,
            ),
        )


def profiled(
    server: Server,
    flavour: str,
    folder: ProfileFolder,
    job: Job,
    shape: Load,
    carry_out: CarryOut,
    end_load: Callable[[], None],
) -> Profiled:
    """Carries the load of `job` out once more and watches it; what fails is recorded and fails no run.

    `end_load` ends the load in good order: all has been seen.
    """
    folder.path.mkdir(parents=True, exist_ok=True)
    pid, no_pid = _process(server)
    watched = Watched(server, folder, pid, no_pid, shape.profile_hz, flavour)
    stages = Stages(watched, [make() for make in WATCHERS], float(shape.profile_s), end_load)
    phases = Phases(warmup=jobs.fixed_warmup(WARMUP_S), measure_ms=jobs.milliseconds(stages.load_s))
    again = msgspec.structs.replace(job, seed=job.seed + _OTHER_SEED, phases=phases)
    folder.job.write_bytes(msgspec.json.format(msgspec.json.encode(again)))
    failed = None
    stages.prepare()
    try:
        carry_out(again, folder, stages.hear).require()
    except Interrupted:
        raise
    except AssayError as error:
        failed = (
            None if stages.complete else error.message
        )  # a load that was ended has an exit code of its own
    finally:
        stages.close()
    return Profiled(folder, stages, failed)


def _process(server: Server) -> tuple[int | None, ProfileSource]:
    """Returns the process of a server on this machine; with None a source that says why there is none."""
    if server.pid is not None:
        return server.pid, ProfileSource()
    found = measured_here(server.target)
    if found is None:
        others = PRIVILEGES["others"]
        return None, missing(f"the server's process cannot be seen, which {others.told}", others.needs)
    if len(found) == 1:
        return found[0], ProfileSource()
    if found:
        return None, missing(f"several processes serve that address: {', '.join(map(str, found))}")
    return None, missing(
        "the server runs on another machine, or in a container that no process here shows",
        "run assay on the server's machine",
    )


def _stretches(folder: ProfileFolder, bounds: dict[Stage, Bounds]) -> Iterator[tuple[Stage, Stretch]]:
    """Yields the stretches with what the load did in them: linear within the engine's intervals."""
    epoch, seen = 0, []
    for event in read_events(folder.events):
        if isinstance(event, Hello):
            epoch = event.epoch_wall_ns
        elif isinstance(event, Interval) and event.phase == "measure":
            seen.append(event)
    if not seen:
        return
    times = np.array([seen[0].start_ns, *(one.end_ns for one in seen)], dtype=np.float64) + epoch
    for stage, of in bounds.items():
        at = [float(of.begin_wall_ns), float(of.end_wall_ns)]
        queries, transactions = (
            np.diff(np.interp(at, times, np.concatenate(([0.0], np.cumsum(counts)))))[0]
            for counts in ([one.queries for one in seen], [one.transactions for one in seen])
        )
        yield (
            stage,
            Stretch(
                begin_wall_ns=of.begin_wall_ns,
                end_wall_ns=of.end_wall_ns,
                queries=float(queries),
                transactions=float(transactions),
                server_cpu_us=of.server_cpu_us,
                server_kernel_us=of.server_kernel_us,
                cut=of.cut or of.end_wall_ns > float(times[-1]) + _LATE_NS,
            ),
        )
