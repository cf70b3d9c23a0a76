"""The experiment on a silent source: how replicas tell an idle one from one that hangs."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from assay.base.errors import ServerError
from assay.measurement.run.experiments.replicas import Replicas
from assay.measurement.run.experiments.stage import Stage

_POLL_S = 0.02
_SLACK_S = 60.0


def idle_then_frozen(stage: Stage, replicas: Replicas) -> dict[str, float]:
    """Measures a window without statements; then stops the source (SIGSTOP) until every replica has noticed.

    Its connections stay open, as on a machine that hangs: only its silence shows it. A replica that receives
    nothing for its net timeout connects again, and begins a new relay log, which is needless where the source
    is idle.
    """
    stage.step("leaving the source idle")
    before = [replicas.state(number).relay_log for number in replicas.each()]
    time.sleep(stage.window_s)
    after = [replicas.state(number).relay_log for number in replicas.each()]
    pid = stage.server.pid
    assert pid is not None  # ours
    silence_s = float(stage.options["net_timeout_s"])
    stage.step("freezing the source")
    _until(lambda: all(replicas.state(number).receiving for number in replicas.each()), silence_s)
    frozen_ns = stage.moment("source frozen")
    try:
        os.kill(pid, signal.SIGSTOP)
        _until(lambda: not any(replicas.state(number).receiving for number in replicas.each()), silence_s)
        noticed_ns = stage.moment("replicas noticed")
    finally:
        os.kill(pid, signal.SIGCONT)
    thawed_ns = stage.moment("source thawed")
    _until(lambda: all(replicas.state(number).receiving for number in replicas.each()), silence_s)
    back_ns = stage.moment("following again")
    return {
        "relay_rotations": float(max(b - a for a, b in zip(before, after, strict=True))),
        "detect_s": (noticed_ns - frozen_ns) / 1e9,
        "reconnect_s": (back_ns - thawed_ns) / 1e9,
    }


def _until(true: Callable[[], bool], silence_s: float) -> None:
    """Waits for a condition. Raises ServerError when it has not come true in twice the replicas' timeout and
    a minute.
    """
    deadline = time.monotonic() + 2 * silence_s + _SLACK_S
    while not true():
        if time.monotonic() > deadline:
            raise ServerError("the replicas did not notice the freeze of the source, or its end, in time")
        time.sleep(_POLL_S)
