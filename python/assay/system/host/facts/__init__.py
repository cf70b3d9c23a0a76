"""Reads facts about this machine, one subject a file; a new subject is a file and a line in `SUBJECTS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from assay.system.host.facts import block, cgroup, cpu, filesystem, kernel, memory, numa, raid, system
from assay.system.host.machine import Machine

Subject = Callable[[Machine, Sequence[Path]], dict[str, object]]

SUBJECTS: dict[str, Subject] = {
    "system": system.facts,
    "cpu": cpu.facts,
    "memory": memory.facts,
    "numa": numa.facts,
    "kernel": kernel.facts,
    "block": block.facts,
    "raid": raid.facts,
    "file_system": filesystem.facts,
    "cgroup": cgroup.facts,
}


def host_facts(paths: Sequence[Path], machine: Machine | None = None) -> dict[str, object]:
    """Returns the facts by subject. `paths` are directories of data, whose devices and file systems are
    described.

    A fact that the kernel does not state is absent.
    """
    machine = machine or Machine()
    facts = {name: read(machine, paths) for name, read in SUBJECTS.items()}
    return {name: found for name, found in facts.items() if found}
