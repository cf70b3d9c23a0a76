"""What a job file wrote, read back by a later run: after a kill, after the power went."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from assay.errors import InputError
from assay.jobfiles.stages import Stage


def reading_back(stages: Sequence[Stage]) -> Stage:
    """All jobs that verify, as one stage that writes nothing.

    `InputError` where there is none, or where two wrote to the same bytes: nobody knows which was the last.
    """
    lines = tuple(line for stage in stages for line in stage.lines)
    jobs = [job for stage in stages for job in stage.job.storage if job.verify != "off"]
    if not jobs:
        raise InputError("nothing to read back: no job has verify", hint="add verify=crc32c to the job")
    written: list[tuple[str, int, float]] = []
    for job in jobs:
        for name in job.files:
            start, end = job.offset, job.file_bytes or float("inf")
            if any(name == other and start < last and first < end for other, first, last in written):
                raise InputError(
                    f"{name}: cannot be verified: several jobs write to it, and which one was last is"
                    " unknown",
                    hint="read it back with a job file that has only the last of these jobs",
                )
            written.append((name, start, end))
    reading = [replace(job, verify="only") for job in jobs]
    return Stage(replace(stages[0].job, storage=reading), lines)
