"""Reads Linux software RAID through mdadm(8): details that sysfs lacks, and the progress of a rebuild.

An array has no policies to set; only the queues of its disks can be changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assay.base.errors import HostError
from assay.system.host.machine import Machine, labelled
from assay.system.host.program import run_program

_SAID = {
    "level": "Raid Level",
    "state": "State",
    "devices": "Raid Devices",
    "active": "Active Devices",
    "failed": "Failed Devices",
    "spare": "Spare Devices",
    "layout": "Layout",
    "chunk": "Chunk Size",
    "consistency": "Consistency Policy",
    "bitmap": "Intent Bitmap",
    "name": "Name",
}
_PROGRESS = re.compile(r"^\s*(\w+) Status : (\d+% complete)", re.MULTILINE)


def arrays(machine: Machine, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Returns, by array (`md0`), its `level`, `state`, `devices` …, and `progress` (`Rebuild 10% complete`)
    while it rebuilds.

    Empty where mdadm is not installed. An array that mdadm cannot read has an `error`.
    """
    program = machine.program("mdadm")
    return {} if program is None else {name: _detail(str(program), name) for name in names}


def _detail(program: str, name: str) -> dict[str, str]:
    try:
        done = run_program([program, "--detail", f"/dev/{name}"])
    except HostError as error:
        return {"error": error.message}
    if done.returncode != 0:
        return {"error": (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"}
    said = labelled(done.stdout, " : ")
    found = {key: said[words] for key, words in _SAID.items() if said.get(words)}
    if progress := _PROGRESS.search(done.stdout):
        found["progress"] = f"{progress[1].lower()} {progress[2]}"
    return found
