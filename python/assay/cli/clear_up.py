"""Sweeps before a command that shows or uses what the lab's home holds."""

from __future__ import annotations

from assay.terminal import say


def clear_up() -> None:
    """Sweeps after dead lab processes, and prints what was done on standard error, since standard output may
    be JSON.
    """
    from assay.run import sweep

    for line in sweep():
        say(line, err=True)
