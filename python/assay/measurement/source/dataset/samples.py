"""Keeps the samples that a person's own statements draw from: taken once for each dataset, for all
servers that hold its data.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from assay.measurement.source.dataset.manifest import datasets_dir

_UNUSED_S = 30 * 86_400.0
"""Seconds after which samples go that nobody has used. They are small, and taken again at need."""


def samples_file(data_id: str) -> Path:
    """Returns the file for the samples of some data, marked as used now; the engine
    writes it, and its folder, where a load draws from them. The data are
    named without the server build: another build with the same rows draws the same values.
    """
    file = datasets_dir() / ".samples" / f"{data_id}.samples"
    with suppress(FileNotFoundError):
        os.utime(file)
    return file


def sweep_samples() -> list[str]:
    """Removes samples that were not taken or drawn from for a month; returns a line for each."""
    done = []
    for file in sorted((datasets_dir() / ".samples").glob("*")):
        with suppress(FileNotFoundError):  # somebody else was quicker
            if time.time() - file.stat().st_mtime > _UNUSED_S:
                file.unlink()
                done.append(f"removed the samples {file.stem}, which nobody has used for a month")
    return done
