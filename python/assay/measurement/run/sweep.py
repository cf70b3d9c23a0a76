"""Sweeps what killed lab processes left running or half made."""

from __future__ import annotations

from assay.measurement.fleet import sweep_generators
from assay.measurement.source import sweep_variables
from assay.measurement.source.dataset import sweep_unfinished
from assay.system.host import sweep_knobs
from assay.system.server import sweep_dead


def sweep() -> list[str]:
    """Removes what killed labs left: servers and other processes, private directories and their resources
    elsewhere, files of agents' engines, half-made datasets, half-unpacked releases, changed host settings.
    Gives running servers back what they had before killed studies. Returns a line for each thing done; things
    of living processes are left alone.
    """
    return [
        *sweep_knobs(),  # first: a loop device that goes comes back as another, with the same settings
        *sweep_variables(),
        *sweep_dead(),
        *sweep_generators(),
        *sweep_unfinished(),  # after the servers, which may be at work in half a dataset
        *sweep_knobs(),  # again: a program that lived until now may have kept them
    ]
