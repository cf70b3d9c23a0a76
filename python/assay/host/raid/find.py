"""Finds the RAID controller of a disk, and the command line that manages it."""

from __future__ import annotations

from pathlib import Path

from assay.errors import HostError
from assay.host.machine import Machine
from assay.host.raid.megacli import MegaCli
from assay.host.raid.ssacli import Ssacli
from assay.host.raid.storcli import Perccli, Storcli
from assay.host.raid.storcli2 import Perccli2, Storcli2
from assay.host.raid.tool import OF_CONTROLLERS, Drive, RaidTool
from assay.host.stack import disks_under

TOOLS: dict[str, RaidTool] = {
    tool.name: tool for tool in (Storcli2(), Perccli2(), Storcli(), Perccli(), MegaCli(), Ssacli())
}
"""The tools by name; a new one is its file and its place here. Of several for one controller the first is
used.
"""


def drives_under(machine: Machine, data: Path) -> list[tuple[RaidTool, Drive]]:
    """Returns the virtual drives that `data` lies on, each with its tool. Raises HostError with the reason
    when there is none.
    """
    tools = [tool for tool in TOOLS.values() if tool.program(machine)]
    if not tools:
        raise HostError(
            "no command-line tool of a RAID controller is installed: " + ", ".join(TOOLS),
            hint="get the tool from the controller's vendor; a drive without a controller has no such policy",
        )
    disks = [layer.name for layer in disks_under(machine, data)]
    found: dict[str, tuple[RaidTool, Drive]] = {}
    for tool in tools:
        for drive in tool.drives(machine):
            if drive.disk in disks:
                found.setdefault(str(drive.disk), (tool, drive))
    if not found:
        names = ", ".join(tool.name for tool in tools)
        raise HostError(f"{', '.join(disks) or data} is not a virtual drive of a controller known to {names}")
    return list(found.values())


def targets(machine: Machine, data: Path, policy: str) -> list[str]:
    """Returns the drives or controllers under `data` that have this policy (`storcli:/c0/v1`). Raises Raises
    HostError with the reason when none has.
    """
    found = []
    for tool, drive in drives_under(machine, data):
        if policy not in tool.policies:
            raise HostError(f"{tool.name} has no {policy.replace('_', ' ')} for {drive.disk}")
        found.append(f"{tool.name}:{drive.controller if policy in OF_CONTROLLERS else drive.address}")
    return list(dict.fromkeys(found))
