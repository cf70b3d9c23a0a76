"""Finds what on this machine would disturb a measurement, and says what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.system.host.check.at_rest import at_rest
from assay.system.host.check.finding import Finding
from assay.system.host.check.now import right_now
from assay.system.host.facts import host_facts
from assay.system.host.machine import Machine

__all__ = ["Finding", "check_host"]


def check_host(paths: Sequence[Path], machine: Machine | None = None) -> list[Finding]:
    """Returns the findings of every check, those on settings first. `paths` are the directories of data.
    Takes two seconds.
    """
    machine = machine or Machine()
    return [*at_rest(host_facts(paths, machine)), *right_now(machine)]
