"""What a command does first that shows or uses what is kept in the lab's home."""

from __future__ import annotations

from assay.terminal import say


def clear_up() -> None:
    """Sweeps after dead lab processes; says what was done on standard error, since answers may be JSON."""
    from assay.run import sweep

    for line in sweep():
        say(line, err=True)
