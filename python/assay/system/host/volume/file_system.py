"""Makes, mounts and unmounts file systems. Source: mke2fs(8), mkfs.xfs(8), mkfs.btrfs(8), mount(8)."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from assay.base.errors import HostError
from assay.system.host.machine import Machine, labelled
from assay.system.host.mounts import mounts
from assay.system.host.program import run_program
from assay.system.host.volume import rebuild
from assay.system.host.volume.loop import said_by
from assay.system.host.volume.spec import VolumeSpec

_PROGRAMS = {
    "ext4": ("mkfs.ext4", "e2fsprogs"),
    "xfs": ("mkfs.xfs", "xfsprogs"),
    "btrfs": ("mkfs.btrfs", "btrfs-progs"),
}
_PATIENCE_S = 5.0
_LONG_S = 1800.0
"""Seconds allowed for making a file system, and for unmounting one with much data still in memory."""
_STUCK_S = 5.0


def refusal(machine: Machine, spec: VolumeSpec) -> str | None:
    """Returns why this machine's kernel or programs cannot make such a file system; None when they can."""
    known = {line.split()[-1] for line in (machine.text("/proc/filesystems") or "").splitlines() if line}
    if spec.file_system not in known and not _has_module(machine, spec.file_system):
        return f"this kernel knows no {spec.file_system}"
    program, package = _PROGRAMS[spec.file_system]
    if machine.program(program) is None:
        return f"there is no {program}: apt-get install {package}"
    if (stuck := _stuck(machine, spec.file_system)) is not None:
        return (
            f"the kernel's {spec.file_system} has stopped: process {stuck} hangs in it; restart the machine"
        )
    return None


def make(spec: VolumeSpec, devices: Sequence[Path]) -> None:
    """Makes a file system on these devices, and overwrites what they held. Nothing is discarded, so the
    devices' files keep their space.
    """
    names = [str(device) for device in devices]
    raid = "single" if spec.raid == "none" else spec.raid
    # Its own records must outlive a device as the data do; raid5 of records is what its makers warn of.
    records = {"single": "dup", "raid5": "raid1"}.get(raid, raid)
    command = {
        "ext4": ["mkfs.ext4", "-q", "-F", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", *names],
        "xfs": ["mkfs.xfs", "-q", "-f", "-K", *names],
        "btrfs": ["mkfs.btrfs", "-q", "-f", "-K", "-d", raid, "-m", records, *names],
    }[spec.file_system]
    said_by(command, f"volume.file_system: no {spec.file_system} could be made", timeout_s=_LONG_S)


def mount(spec: VolumeSpec, device: Path, point: Path) -> None:
    """Mounts a device at a mount point; raises HostError in the kernel's words if it refuses the options."""
    options = ["-o", spec.mount] if spec.mount else []
    command = ["mount", "-t", spec.file_system, *options, str(device), str(point)]
    said_by(command, f"volume.mount: {spec.file_system} was not mounted with {spec.mount or 'no options'}")


def usable_bytes(spec: VolumeSpec, point: Path) -> int:
    """Returns how many bytes files can take in an empty file system; tests/server/test_loop_volumes.py fills
    them.
    """
    state = os.statvfs(point)
    free = state.f_bavail * state.f_frsize
    # Of mirrored devices btrfs counts whole pairs, and leaves an odd one out; it uses that too.
    odd = spec.file_system == "btrfs" and spec.raid == "raid1" and spec.devices % 2
    return free * spec.devices // (spec.devices - 1) if odd else free


def unmount(point: Path) -> None:
    """Unmounts everything at this mount point, and waits a while for its users; does nothing when nothing is
    mounted.

    The removal of a device that a dead lab left running also uses the mount; it is cancelled.
    """
    _require_alive(point)
    deadline = time.monotonic() + _PATIENCE_S
    while is_mounted(point) and run_program(["umount", str(point)], timeout_s=_LONG_S).returncode != 0:
        rebuild.cancel(point)
        if time.monotonic() > deadline:
            raise HostError(f"{point} is still in use", hint=f"by hand: umount {point}")
        time.sleep(0.1)


def is_mounted(point: Path) -> bool:
    """Returns whether anything is mounted at this point."""
    return any(mount.point == str(point) for mount in mounts(Machine()))


def _require_alive(point: Path) -> None:
    """Raises HostError where the kernel's file system has stopped: any access to it would hang for ever."""
    for kind in {one.kind for one in mounts(Machine()) if one.point == str(point)}:
        if (pid := _stuck(Machine(), kind)) is not None:
            raise HostError(
                f"cannot use {point}: the kernel's {kind} has stopped, and process {pid} hangs in it"
            )


def _stuck(machine: Machine, name: str) -> int | None:
    """Returns a process that waits in a file system's own code, cannot be killed and makes no progress; None
    when there is none.

    Any later access would hang as well. Source: proc_pid_stat(5), proc_pid_wchan(5).
    """
    before = _waiting(machine, name)
    if not before:
        return None
    time.sleep(_STUCK_S)
    return next((pid for pid, at in _waiting(machine, name).items() if before.get(pid) == at), None)


def _waiting(machine: Machine, name: str) -> dict[int, tuple[str, str]]:
    """Returns the processes that wait unkillably in this file system's code, each with its place there and
    its count of switches.
    """
    found = {}
    for pid in filter(str.isdigit, machine.names("/proc")):
        where = machine.text(f"/proc/{pid}/wchan") or ""
        status = labelled(machine.text(f"/proc/{pid}/status") or "")
        if where.startswith(f"{name}_") and status.get("State", "").startswith("D"):
            found[int(pid)] = (where, status.get("voluntary_ctxt_switches", ""))
    return found


def _has_module(machine: Machine, name: str) -> bool:
    release = machine.text("/proc/sys/kernel/osrelease") or ""
    listed = machine.text(f"/lib/modules/{release}/modules.dep") or ""
    return f"/{name}.ko" in listed
