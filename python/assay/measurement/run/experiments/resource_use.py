"""Reads what a process has used of the machine since its start (proc(5): stat, io)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ResourceUse:
    """The resources that a process has used. Bytes are those of the disk, without those served from the page
    cache.
    """

    cpu_us: float
    read_bytes: int
    written_bytes: int


def used(pid: int) -> ResourceUse:
    """Returns the resources that a living process has used."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(stat[11]) + int(stat[12])
    io = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    seconds = ticks / os.sysconf("SC_CLK_TCK")
    return ResourceUse(seconds * 1e6, int(io["read_bytes"]), int(io["write_bytes"]))
