"""The experiment on connections: first each transaction on a new connection, then many idle connections."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from assay.base.format.job import Phases
from assay.base.labels import CONNECT
from assay.base.tally import times_ms
from assay.measurement.run.experiments.stage import Stage
from assay.system.engine import jobs


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Returns connects per second and their times under load, and the memory of an idle connection."""
    measured: dict[str, float] = {}
    if idle := int(stage.options["idle"]):
        stage.step(f"holding {idle} idle connections")
        measured["idle_connection_kb"] = _idle_kb(stage, idle)
    stage.step("connecting")
    job = stage.job(
        "run",
        load=jobs.closed_loop(stage.sessions, reconnect_each=int(stage.options["each"])),
        phases=Phases(warmup=jobs.fixed_warmup(1.0), measure_ms=jobs.milliseconds(stage.window_s)),
    )
    result = stage.run(job, keep=True).require().result
    assert result is not None
    if (times := result.labels.get(CONNECT)) and times.count:
        measured["connects_per_s"] = times.count / result.elapsed_s
        for name, value in times_ms(times.service).items():
            if value is not None and name in ("mean", "p95", "p99"):
                measured[f"connect_{name}_ms"] = value
    return measured


def _idle_kb(stage: Stage, count: int) -> float:
    before = _resident_kb(stage.server.pid)
    with ExitStack() as held:
        for _ in range(count):
            held.enter_context(stage.connection())
        return (_resident_kb(stage.server.pid) - before) / count


def _resident_kb(pid: int | None) -> int:
    assert pid is not None, "an experiment has a server of its own"
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmRSS:")[2].split(None, 1)[0])
