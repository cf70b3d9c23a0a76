"""Limits a server's memory by a control group of its own (cgroups(7)), version 2 or 1 as the kernel has it.

The page cache counts: pages of files that the server has the kernel read or write are charged to its group.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError, ServerError
from assay.base.privileges import REFUSED, PrivilegeError, refused
from assay.system.host import Machine, Mount, meminfo_bytes, mounts, own_groups, own_limits

_EMPTY_S = 5.0


@dataclass(frozen=True)
class CgroupParent:
    """The control group in which the lab makes its own groups.

    In version 1 it is the lab's own group, in version 2 the one above: a group that has processes cannot hand
    controllers on.
    """

    version: int
    folder: Path


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
        return self.folder / "cgroup.procs"

    def verify(self, pid: int) -> None:
        """Raises ServerError when the process is not in the group, or the kernel has another limit."""
        have = int(_read(self.folder / _LIMIT[self.version]) or -1)
        if str(pid) not in _read(self.members).split():
            raise ServerError(f"server.memory: the server is not in its control group {self.folder}")
        if abs(have - self.limit_bytes) >= os.sysconf("SC_PAGE_SIZE"):  # the kernel rounds down to pages
            raise ServerError(f"server.memory: asked for {self.limit_bytes} bytes, the kernel has {have}")

    def kills(self) -> int:
        """Returns how many processes the kernel has killed because of the limit."""
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        for line in _read(self.folder / file).splitlines():
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
    folder = parent.folder / name
    try:
        folder.mkdir()
    except OSError as error:
        raise _refused(error, f"no control group can be made in {parent.folder}") from None
    try:
        (folder / _LIMIT[parent.version]).write_text(str(limit_bytes))
    except OSError as error:
        with contextlib.suppress(OSError):
            folder.rmdir()
        raise _refused(error, f"the kernel refused a limit of {limit_bytes} bytes") from None
    swaps = False
    try:
        # Version 1 limits memory and swap together.
        (folder / _SWAP[parent.version]).write_text(str(0 if parent.version == 2 else limit_bytes))
    except OSError:
        swaps = meminfo_bytes("SwapTotal") != 0  # unknown: it may swap
    return MemoryGroup(parent.version, folder, limit_bytes, swaps)


def _refused(error: OSError, what: str) -> HostError:
    said = f"{what}: {error.strerror}"
    if error.errno in REFUSED | {errno.ENOENT}:  # the parent has gone, or a container hides it
        return PrivilegeError("server.memory", refused("memory", said))
    return HostError(f"server.memory: {said}")


def find_cgroup_parent(machine: Machine | None = None) -> CgroupParent:
    """Returns the control group in which this process may make groups. Raises HostError with the reason when
    there is none.
    """
    machine = machine or Machine()
    groups, mounted = own_groups(machine), mounts(machine)
    for mount in mounted:
        if mount.kind == "cgroup" and "memory" in mount.super_options.split(",") and "memory" in groups:
            return CgroupParent(1, _folder(mount, groups["memory"]))
    for mount in mounted:
        if mount.kind == "cgroup2" and "" in groups and "memory" not in groups:
            return _unified(Path(mount.point), _folder(mount, groups[""]))
    raise HostError("server.memory: this kernel or container has no memory control groups")


def _unified(mount: Path, own: Path) -> CgroupParent:
    parent = own.parent if own != mount else own
    if "memory" not in _read(parent / "cgroup.subtree_control").split():
        closed = f"{parent} does not delegate the memory controller to its groups (cgroup.subtree_control)"
        raise PrivilegeError("server.memory", refused("memory", closed))
    return CgroupParent(2, parent)


def _folder(mount: Mount, path: str) -> Path:
    """Returns the folder of a control group by its path in /proc; a container may see only a part of the
    tree.
    """
    inside = path.removeprefix(mount.root) if mount.root != "/" else path
    folder = Path(mount.point) / inside.lstrip("/")
    return folder if folder.is_dir() else Path(mount.point)


def is_group(folder: Path) -> bool:
    """Returns whether a folder is a control group, and not a directory that looks like one."""
    try:
        device = folder.stat().st_dev
    except OSError:
        return False
    number = f"{os.major(device)}:{os.minor(device)}"
    return any(mount.device == number and mount.kind.startswith("cgroup") for mount in mounts(Machine()))


def remove_group(folder: Path) -> None:
    """Ends the processes in a control group and removes it; does nothing when it does not exist."""
    deadline = time.monotonic() + _EMPTY_S
    while folder.is_dir():
        for pid in map(int, _read(folder / "cgroup.procs").split()):
            if pid > 0:  # 0 is a member that another pid namespace has; killed, it is our own process group
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        try:
            folder.rmdir()
        except OSError:  # its last member is still ending
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def machine_bytes() -> int:
    """Returns the bytes of memory that this process may have."""
    return own_limits().memory_bytes


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
