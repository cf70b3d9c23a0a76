"""Samples the call stacks of a server while a load drives it, and does not, in turn."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from assay.design.study import Load as StudyLoad
from assay.system.host.perf import StackRecording, started_recording

from benchmarks import engine
from benchmarks.alternating import Plan, alternated, figures
from benchmarks.load import Endpoint, Load
from benchmarks.rows import Figures

HZ: int = StudyLoad.model_fields["profile_hz"].default
"""Samples of each busy processor a second in a profile window whose study names no rate."""
SAMPLED, ALONE = "stacks sampled", "not sampled"
"""Whose figures a measurement has many of."""


def sampled(load: Load, endpoint: Endpoint, pid: int, plan: Plan) -> Figures:
    """Drives a load, during which the server of this process is sampled as in a profile window, and is not.

    A window with samples begins with the opening of the events, and ends before they are closed.
    """
    recordings: list[StackRecording] = []

    def switch(to: str) -> None:
        while recordings:
            recordings.pop().end()
        if to == SAMPLED:
            recordings.append(started_recording(pid, place / "perf.data", round(1e9 / HZ), plan.seconds))
            recordings[-1].begin()

    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        place = Path(name)
        events = place / "events.jsonl"
        try:
            with engine.running(load, endpoint, events) as process:
                windows = alternated(process, events, plan, (SAMPLED, ALONE), switch, time.process_time)
        finally:
            for one in recordings:
                one.kill()
        return figures(windows, events)
