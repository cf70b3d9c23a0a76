"""Limits a server's memory by a control group of its own (cgroups(7)), version 2 or 1 as the kernel has it.

The page cache counts: pages of files that the server has the kernel read or write are charged to its group.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import ServerError
from assay.system.host import meminfo_bytes, own_limits
from assay.system.server.resources.control_group import CgroupParent, members_of, require_member, text_of


@dataclass(frozen=True)
class MemoryGroup:
    """A control group that exists, with its limit set."""

    version: int
    folder: Path
    limit_bytes: int
    swaps: bool

    @property
    def members(self) -> Path:
        """The file that adds a process to the group when its pid is written there."""
        return members_of(self.folder)

    def verify(self, pid: int) -> None:
        """Raises ServerError when the process is not in the group, or the kernel has another limit."""
        require_member(self.folder, pid, "memory")
        have = int(text_of(self.folder / _LIMIT[self.version]) or -1)
        if abs(have - self.limit_bytes) >= os.sysconf("SC_PAGE_SIZE"):  # the kernel rounds down to pages
            raise ServerError(f"server.memory: asked for {self.limit_bytes} bytes, the kernel has {have}")

    def kills(self) -> int:
        """Returns how many processes the kernel has killed because of the limit."""
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        for line in text_of(self.folder / file).splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
        return 0


_LIMIT = {2: "memory.max", 1: "memory.limit_in_bytes"}
_SWAP = {2: "memory.swap.max", 1: "memory.memsw.limit_in_bytes"}


def make_group(name: str, limit_bytes: int, parent: CgroupParent) -> MemoryGroup:
    """Makes a control group with a memory limit. Raises HostError with the kernel's reason when that is not
    allowed, and leaves nothing.

    Swap is disabled where the kernel can account for it: a server that swaps does not have less memory.
    """
    folder = parent.make(name)
    parent.limit(folder, _LIMIT[parent.version], str(limit_bytes), f"a limit of {limit_bytes} bytes")
    swaps = False
    try:
        # Version 1 limits memory and swap together.
        (folder / _SWAP[parent.version]).write_text(str(0 if parent.version == 2 else limit_bytes))
    except OSError:
        swaps = meminfo_bytes("SwapTotal") != 0  # unknown: it may swap
    return MemoryGroup(parent.version, folder, limit_bytes, swaps)


def machine_bytes() -> int:
    """Returns the bytes of memory that this process may have."""
    return own_limits().memory_bytes
