"""Asks the engine whether it would carry out a job, so that a plan refuses whatever a run would refuse."""

from __future__ import annotations

import subprocess

import msgspec
from msgspec.structs import replace

from assay.base.errors import InputError
from assay.base.format.job import DiskJob
from assay.design.folder import ErrorEvent, decode_event
from assay.system.engine.binary import find_engine
from assay.system.engine.process import job_error

_WAITS = "phases.hold waits for the command"
_ANSWERS_S = 60.0


def check_disk_job(job: DiskJob, place: object) -> None:
    """Raises InputError, in the engine's words, where a job for files and disks is wrong in itself;
    they follow its `place`, a file or a key.

    The job is one that waits for a command, of an engine that listens to none. The engine refuses that after
    all its other checks, and before it opens a file.
    """
    held = replace(job, phases=replace(job.phases, hold=True))
    answer = subprocess.run(
        [str(find_engine()), "run", "-"],
        input=msgspec.json.encode(held),
        capture_output=True,
        timeout=_ANSWERS_S,
        check=False,
    )
    events = [decode_event(line) for line in answer.stdout.splitlines()]
    fatal = next((event for event in events if isinstance(event, ErrorEvent) and event.fatal), None)
    if fatal is not None and fatal.message.startswith(_WAITS):
        return
    error = job_error(answer.returncode, fatal, answer.stderr.decode(errors="replace").strip())
    raise InputError(f"{place}: {error.message}", hint=error.hint, detail=error.detail)
