"""Makes control groups for a server (cgroups(7)), version 2 or 1 as the kernel has it, and removes them."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError, ServerError
from assay.base.privileges import REFUSED, PrivilegeError, refused
from assay.system.host import Machine, Mount, mounts, own_groups

Controller = Literal["memory", "cpu"]
KEYS: dict[Controller, str] = {"memory": "server.memory", "cpu": "server.cpu_quota"}
"""The key of a study that needs each controller."""

_EMPTY_S = 5.0


@dataclass(frozen=True)
class CgroupParent:
    """The control group in which the lab makes its own groups.

    In version 1 it is the lab's own group, in version 2 the one above: a group that has processes cannot hand
    controllers on.
    """

    version: int
    folder: Path
    controller: Controller = "memory"

    def make(self, name: str) -> Path:
        """Makes a group and returns its folder; in version 2 it may exist already, for another controller.
        Raises HostError with the kernel's reason.
        """
        folder = self.folder / name
        try:
            folder.mkdir(exist_ok=self.version == 2)
        except OSError as error:
            raise self.refusal(error, f"no control group can be made in {self.folder}") from None
        return folder

    def limit(self, folder: Path, file: str, value: str, what: str) -> None:
        """Writes a limit of a group. Raises HostError with the kernel's reason, and leaves no group."""
        try:
            (folder / file).write_text(value)
        except OSError as error:
            with contextlib.suppress(OSError):
                folder.rmdir()
            raise self.refusal(error, f"the kernel refused {what}") from None

    def refusal(self, error: OSError, what: str) -> HostError:
        """Returns the error for what the kernel did not allow."""
        said = f"{what}: {error.strerror}"
        if error.errno in REFUSED | {errno.ENOENT}:  # the parent has gone, or a container hides it
            return PrivilegeError(KEYS[self.controller], refused("memory", said))
        return HostError(f"{KEYS[self.controller]}: {said}")


def find_cgroup_parent(machine: Machine | None = None, controller: Controller = "memory") -> CgroupParent:
    """Returns the control group in which this process may make groups of a controller. Raises HostError with
    the reason when there is none.
    """
    machine = machine or Machine()
    groups, mounted = own_groups(machine), mounts(machine)
    for mount in mounted:
        if mount.kind == "cgroup" and controller in mount.super_options.split(",") and controller in groups:
            return CgroupParent(1, _folder(mount, groups[controller]), controller)
    for mount in mounted:
        if mount.kind == "cgroup2" and "" in groups and controller not in groups:
            return _unified(Path(mount.point), _folder(mount, groups[""]), controller)
    raise HostError(f"{KEYS[controller]}: this kernel or container has no {controller} control groups")


def _unified(mount: Path, own: Path, controller: Controller) -> CgroupParent:
    parent = own.parent if own != mount else own
    if controller not in text_of(parent / "cgroup.subtree_control").split():
        closed = (
            f"{parent} does not delegate the {controller} controller to its groups (cgroup.subtree_control)"
        )
        raise PrivilegeError(KEYS[controller], refused("memory", closed))
    return CgroupParent(2, parent, controller)


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
        for pid in map(int, text_of(folder / "cgroup.procs").split()):
            if pid > 0:  # 0 is a member that another pid namespace has; killed, it is our own process group
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        try:
            folder.rmdir()
        except OSError:  # its last member is still ending
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def members_of(folder: Path) -> Path:
    """Returns the file that adds a process to a group when its pid is written there."""
    return folder / "cgroup.procs"


def require_member(folder: Path, pid: int, controller: Controller) -> None:
    """Raises ServerError when a process is not in a group."""
    if str(pid) not in text_of(members_of(folder)).split():
        raise ServerError(f"{KEYS[controller]}: the server is not in its control group {folder}")


def text_of(path: Path) -> str:
    """Returns the content of a group's file; "" of one that is not there."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
