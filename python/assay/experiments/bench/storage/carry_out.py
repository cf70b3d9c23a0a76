"""Runs the stages of a load on files, or on the machine itself, each with an engine of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assay.base.errors import AssayError, Interrupted
from assay.base.format.job import DiskJob, MachineJob
from assay.design.folder import Doubt, Event, RunResult, Verified
from assay.experiments.bench.progress import StorageProgress
from assay.system.engine import Interrupts, run_job
from assay.system.host import LookAround, measuring


@dataclass
class StageOutcome:
    """The outcome of one stage; it has no result when it broke before its window, or only read back."""

    result: RunResult | None = None
    verified: list[Verified] = field(default_factory=list)  # what reading back found, by worker
    doubts: list[dict[str, Any]] = field(default_factory=list)
    error: AssayError | None = None


def carry_out(
    jobs: Sequence[DiskJob | MachineJob], progress: StorageProgress, *, command: str
) -> tuple[list[StageOutcome], bool]:
    """Runs the jobs in order until one fails or the user interrupts; returns the outcomes, and whether there
    was an interrupt.

    `command` is announced to other measurements on this machine.
    """
    done: list[StageOutcome] = []
    look = LookAround()
    with Interrupts() as interrupts, measuring(command), suppress(Interrupted):
        # Without an engine at work a signal raises: what the jobs before have measured stays.
        for number, job in enumerate(jobs, 1):
            progress.stage(number, len(jobs))
            stage = StageOutcome()
            done.append(stage)

            def hear(event: Event, stage: StageOutcome = stage) -> None:
                look.hear(event, progress.note)
                match event:
                    case Verified():
                        stage.verified.append(event)
                    case Doubt():
                        stage.doubts.append(msgspec.to_builtins(event))
                    case _:
                        pass
                progress.event(event)

            outcome = run_job(job, interrupts=interrupts, on_event=hear)
            stage.result = outcome.result
            if not interrupts.requested:
                stage.error = outcome.error
            if interrupts.requested or outcome.exit_code != 0:
                break
    return done, interrupts.requested
