"""Makes the jobs that read back what an earlier run of a job file wrote, after a kill or a loss of power."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from assay.base.errors import InputError
from assay.design.storage.stages import Stage


def reading_back(stages: Sequence[Stage]) -> Stage:
    """Returns one stage with all jobs that verify, in which nothing is written.

    Raises `InputError` when no job verifies, or when two jobs wrote to the same bytes: the last writer is
    unknown.
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
    said = {name: why for stage in stages for name, why in stage.without_effect.items()}
    return Stage(replace(stages[0].job, storage=reading), lines, said)
