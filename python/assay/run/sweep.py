"""After lab processes that were killed: what they left running, lying about, or half made."""

from __future__ import annotations

from assay.dataset import sweep_unfinished
from assay.host import sweep_knobs
from assay.server import sweep_dead


def sweep() -> list[str]:
    """Servers and other processes, private directories and what belongs to them elsewhere, half datasets,
    half unpacked releases, changed settings of the machine. A line for each thing done; what belongs to a
    living process is left alone."""
    return [
        *sweep_knobs(),  # first: a loop device that goes comes back as another, with the same settings
        *sweep_dead(),
        *sweep_unfinished(),  # after the servers, which may be at work in half a dataset
        *sweep_knobs(),  # again: a program that lived until now may have kept them
    ]
