"""What to say when a file of a run folder cannot be read."""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError


def damaged(file: Path, run: Path, error: Exception) -> InputError:
    """The error for `file` in the run folder `run`."""
    return InputError(
        f"{file} is damaged: {error}",
        hint=f"delete the folder {run} and run the study again: only that run is repeated",
    )
