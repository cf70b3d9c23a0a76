"""Finds the RAID controller of a disk, and the command line that manages it."""

from __future__ import annotations

from pathlib import Path

from assay.base.errors import HostError
from assay.system.host.machine import Machine
from assay.system.host.raid.megacli import MegaCli
from assay.system.host.raid.storcli import Perccli, Storcli
from assay.system.host.raid.tool import BGI_RATE, Drive, RaidTool
from assay.system.host.stack import disks_under, driver_of

TOOLS: dict[str, RaidTool] = {tool.name: tool for tool in (Storcli(), Perccli(), MegaCli())}
"""The tools by name; a new one is its file and its place here. Of several for one controller the first is
used.
"""

_DRIVERS_WITHOUT_TOOL = frozenset({"hpsa", "smartpqi", "mpi3mr"})
"""Kernel drivers of controllers that no tool of `TOOLS` manages: Smart Array and SmartRAID, and MegaRAID and
PERC since 9600 and 12.
"""


def no_tool_for(disk: str, driver: object) -> str | None:
    """Returns the sentence that no tool of Assay manages the controller of this disk; None for other
    drivers.
    """
    if driver not in _DRIVERS_WITHOUT_TOOL:
        return None
    return (
        f"{disk} is on a controller ({driver}) whose policies are unknown: Assay has no command line for it"
    )


def drives_under(machine: Machine, data: Path) -> list[tuple[RaidTool, Drive]]:
    """Returns the virtual drives that `data` lies on, each with its tool. Raises HostError with the reason
    when there is none.
    """
    under = disks_under(machine, data)
    if reasons := [reason for disk in under if (reason := no_tool_for(disk.name, driver_of(machine, disk)))]:
        raise HostError(
            "; ".join(reasons),
            hint="set its policies with the vendor's tool, and remove raid from [host] of the study",
        )
    tools = [tool for tool in TOOLS.values() if tool.program(machine)]
    if not tools:
        raise HostError(
            "no command-line tool of a RAID controller is installed: " + ", ".join(TOOLS),
            hint="get the tool from the controller's vendor; a drive without a controller has no such policy",
        )
    disks = [disk.name for disk in under]
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
    """Returns the drives or controllers under `data` that have this policy (`storcli:/c0/v1`). Raises
    HostError with the reason when none has.
    """
    found = []
    for tool, drive in drives_under(machine, data):
        if policy not in tool.policies:
            raise HostError(f"{tool.name} has no {policy.replace('_', ' ')} for {drive.disk}")
        found.append(f"{tool.name}:{drive.controller if policy == BGI_RATE else drive.address}")
    return list(dict.fromkeys(found))
