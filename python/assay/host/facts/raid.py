"""RAID controllers and arrays, as the command lines that are installed for them see them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.errors import HostError
from assay.host.machine import Machine, present
from assay.host.raid import mdadm
from assay.host.raid.find import TOOLS
from assay.host.raid.tool import RaidTool
from assay.host.stack import Layer, layers


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Tool -> `controllers` (model, firmware, battery); virtual drive -> RAID level, state, policies.
    `mdadm` -> array under the paths -> level, state, members, progress of what it does to itself.

    Only root gets answers, and only for some path: the tools take their time. A tool that fails is recorded
    with its complaint.
    """
    if os.geteuid() != 0 or not paths:
        return {}
    arrays = [layer.name for path in paths for top in layers(machine, path) for layer in _arrays(top)]
    return present(
        [
            *((name, _of(machine, tool)) for name, tool in TOOLS.items() if tool.program(machine)),
            ("mdadm", mdadm.arrays(machine, dict.fromkeys(arrays))),
        ]
    )


def _arrays(layer: Layer) -> Iterator[Layer]:
    if layer.kind == "md":
        yield layer
    for below in layer.below:
        yield from _arrays(below)


def _of(machine: Machine, tool: RaidTool) -> dict[str, object]:
    try:
        drives = {drive.address: {"disk": drive.disk, **drive.known} for drive in tool.drives(machine)}
        return present([("controllers", tool.reading(machine)), *drives.items()])
    except HostError as error:
        return {"error": error.message}
