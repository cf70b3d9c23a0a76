"""Reads facts about RAID controllers and arrays through the command lines installed for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.base.errors import HostError
from assay.system.host.machine import Machine, present
from assay.system.host.privileges import lacks
from assay.system.host.raid import mdadm
from assay.system.host.raid.find import TOOLS
from assay.system.host.raid.tool import RaidTool
from assay.system.host.stack import Layer, layers


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns, by tool, the controllers (model, firmware, battery) and virtual drives (RAID level, state,
    policies); for `mdadm`, the arrays under the paths (level, state, members, progress of a rebuild).

    Empty without the privilege for controllers, or without paths, since the tools are slow. A tool that fails
    is recorded with its error.
    """
    if not paths or lacks("controllers", machine):
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
