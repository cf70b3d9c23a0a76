"""The experiment on replication: the cost of a replica for a commit, its lag, and its data after a fault."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from assay.base import clock
from assay.base.errors import ServerError
from assay.base.tally import ranked
from assay.measurement.run.experiments.background_load import BackgroundLoad, background_load
from assay.measurement.run.experiments.heartbeat import Heartbeat, beating, lag_figures, seen_before
from assay.measurement.run.experiments.ledger import TABLE, Ledger, writing
from assay.measurement.run.experiments.replicas import Replicas, following
from assay.measurement.run.experiments.semi_sync import Waiting, released, watched
from assay.measurement.run.experiments.source_freeze import idle_then_frozen
from assay.measurement.run.experiments.stage import Stage

_POLL_S = 0.02
_LOOK_S = 0.5
_CATCH_UP_S = 600.0
_RETURN_S = 60.0


@dataclass(frozen=True)
class Scene:
    """A stage with its replicas, under load."""

    stage: Stage
    replicas: Replicas
    heart: Heartbeat
    waiting: Waiting
    background: BackgroundLoad

    @property
    def pause_s(self) -> float:
        """How long a replica is away, in seconds."""
        return float(self.stage.options["pause_s"])

    def wait(self, seconds: float) -> None:
        """Waits for `seconds`, or to the end of the load."""
        self.background.over.wait(seconds)
        self.stage.interrupts.raise_if_requested()

    def caught_up(self, numbers: Sequence[int], back_ns: int) -> dict[str, float]:
        """Waits until these replicas show what the source had at `back_ns`, and returns its measure; empty
        when one breaks.
        """
        answering_ns, deadline = clock.wall_ns(), time.monotonic() + _CATCH_UP_S
        looked = time.monotonic()
        self.stage.step("waiting for the replica to catch up")
        while any(self.heart.shown(number, back_ns) is None for number in numbers):
            self.stage.interrupts.raise_if_requested()
            if time.monotonic() > deadline:
                raise ServerError(f"a replica has not caught up within {_CATCH_UP_S:.0f} s")
            if time.monotonic() - looked > _LOOK_S:
                if any(map(self.replicas.broken, numbers)):
                    self.stage.moment("replication broke")
                    return {}
                looked = time.monotonic()
            time.sleep(_POLL_S)
        shown = max(self.heart.shown(number, back_ns) or 0 for number in numbers)
        at_ns = self.stage.moment("caught up", max(shown, answering_ns))
        return {"catch_up_s": (at_ns - back_ns) / 1e9}

    def fell_back(self, fault_ns: int, back_ns: int) -> dict[str, float]:
        """Returns when the source stopped waiting for replicas, and when it waited again; empty where it
        never stopped.
        """
        fell_ns = self.waiting.turned(False, after_ns=fault_ns)
        if fell_ns is None:
            return {}
        measured = {"fall_back_s": (fell_ns - fault_ns) / 1e9}
        again_ns = self.waiting.turned(True, after_ns=max(fell_ns, back_ns), within_s=_RETURN_S)
        return measured if again_ns is None else {**measured, "return_s": (again_ns - back_ns) / 1e9}


Fault = Callable[[Scene], tuple[int, dict[str, float]]]
"""Carries a fault out on a scene; returns when it began, and its measures."""


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Runs the load on the source and the fault, a third into it or at its end, and compares the replicas'
    data.
    """
    if stage.options["fault"] == "source-freeze":
        with following(stage) as replicas:
            return idle_then_frozen(stage, replicas)
    killed = stage.options["fault"] == "source-kill"
    writers = int(stage.options["ledger_sessions"])
    with following(stage) as replicas, beating(stage, replicas.instances) as heart:
        with (
            watched(replicas) as waiting,
            writing(stage, writers) as ledger,
            # A source that is killed must be under load until then.
            background_load(stage, (3 if killed else 1) * stage.window_s, keep=not killed) as background,
            released(replicas),
        ):
            background.measuring.wait()
            start_ns = clock.wall_ns()
            scene = Scene(stage, replicas, heart, waiting, background)
            fault_ns, measured = _FAULTS[str(stage.options["fault"])](scene)
            if not killed:
                background.over.wait()
            end_ns = clock.wall_ns()
        if not killed:
            background.require()
            heart.require()
            measured |= waiting.unacknowledged()
        heart.stop()
        measured |= _survivors(scene, ledger) if killed else _copies(scene)
        heart.drain()
    measured |= commit_figures(ledger.commit_ms(start_ns, fault_ns), ledger.commit_ms(start_ns, end_ns))
    whole = heart.lags_ms(start_ns, end_ns)
    measured |= lag_figures(seen_before(whole, fault_ns), [lag for _, lag in whole])
    stage.traces.append(heart.trace(whole))
    return measured


def commit_figures(steady: Sequence[float], whole: Sequence[float]) -> dict[str, float]:
    """Returns measures of commits, given in order of length: those before the fault, and all. A measure
    without commits is left out.
    """
    figures = {}
    if steady:
        figures["commit_mean_ms"] = fmean(steady)
        figures["commit_p95_ms"] = ranked(steady, 0.95)
    if whole:
        figures["longest_commit_ms"] = whole[-1]
    return figures


def _no_fault(scene: Scene) -> tuple[int, dict[str, float]]:
    scene.background.over.wait()
    return clock.wall_ns(), {}


def _pause_replicas(scene: Scene) -> tuple[int, dict[str, float]]:
    """Stops all receivers, so that a semi-synchronous source first waits for its timeout, then goes on
    without them.
    """
    replicas, stage = scene.replicas, scene.stage
    _a_third_in(scene)
    stage.step("stopping the replicas' receivers")
    fault_ns = stage.moment("replica stopped")
    for number in replicas.each():
        replicas.receive(number, on=False)
    scene.wait(scene.pause_s)
    back_ns = stage.moment("replica started")
    for number in replicas.each():
        replicas.receive(number, on=True)
    return fault_ns, scene.caught_up(replicas.each(), back_ns) | scene.fell_back(fault_ns, back_ns)


def _kill_replica(scene: Scene) -> tuple[int, dict[str, float]]:
    """Kills the first replica while it applies, and restarts it on the same files after a while."""
    replicas, stage = scene.replicas, scene.stage
    _a_third_in(scene)
    stage.step("killing a replica")
    fault_ns = stage.moment("killed")
    replicas.kill(0)
    scene.wait(scene.pause_s)
    back_ns = stage.moment("replica started", replicas.restart(0))
    return fault_ns, scene.caught_up([0], back_ns) | scene.fell_back(fault_ns, back_ns)


def _kill_source(scene: Scene) -> tuple[int, dict[str, float]]:
    scene.wait(scene.stage.window_s)
    scene.background.still_there("the kill")
    scene.stage.step("killing the source")
    fault_ns = scene.stage.moment("killed")
    scene.replicas.cut_off()
    scene.stage.server.kill()
    return fault_ns, {}


_FAULTS: dict[str, Fault] = {
    "none": _no_fault,
    "replica-pause": _pause_replicas,
    "replica-kill": _kill_replica,
    "source-kill": _kill_source,
}


def _a_third_in(scene: Scene) -> None:
    scene.wait(scene.stage.window_s / 3)
    scene.background.still_there("the fault")


def _copies(scene: Scene) -> dict[str, float]:
    """Compares the replicas with the source, after all has been applied."""
    scene.stage.step("comparing the replicas with the source")
    broken = scene.replicas.catch_up()
    return {
        "broken_replicas": float(len(broken)),
        "differing_tables": float(scene.replicas.differing_tables()),
    }


def _survivors(scene: Scene, ledger: Ledger) -> dict[str, float]:
    """Returns how many commits the ended source had acknowledged, and how many of them no replica has. The
    source is started again.
    """
    there: set[int] = set()
    scene.stage.step("waiting until the replicas have applied what they received")
    for number in scene.replicas.each():
        scene.replicas.apply_received(number, TABLE)
        there |= scene.replicas.column(number, f"SELECT id FROM {TABLE}")
    scene.stage.moment("replicas applied all")
    scene.stage.restart({})
    return {
        "acknowledged": float(len(ledger.acknowledged)),
        "missing_commits": float(len(ledger.acknowledged - there)),
    }
