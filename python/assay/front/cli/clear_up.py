"""Sweeps before a command that shows or uses what the lab's home holds."""

from __future__ import annotations

from assay.front.terminal import say


def clear_up() -> None:
    """Sweeps after dead lab processes, and prints what was done on standard error, since standard output may
    be JSON.
    """
    from assay.measurement.run import sweep

    for line in sweep():
        say(line, err=True)
