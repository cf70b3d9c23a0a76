"""Hardware RAID controllers, as their vendors' command lines see them, where those are installed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from assay.errors import HostError
from assay.host.machine import Machine, present
from assay.host.raid.find import TOOLS
from assay.host.raid.tool import RaidTool


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Tool -> `controllers` (model, firmware, battery); virtual drive -> RAID level, state, policies.

    Only root gets answers, and only for some path: the tools take their time. A tool that fails is recorded
    with its complaint.
    """
    if os.geteuid() != 0 or not paths:
        return {}
    return present((name, _of(machine, tool)) for name, tool in TOOLS.items() if tool.program(machine))


def _of(machine: Machine, tool: RaidTool) -> dict[str, object]:
    try:
        drives = {drive.address: {"disk": drive.disk, **drive.known} for drive in tool.drives(machine)}
        return present([("controllers", tool.reading(machine)), *drives.items()])
    except HostError as error:
        return {"error": error.message}
