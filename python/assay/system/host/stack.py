"""Finds the block devices under a path, layer by layer: partitions, volumes, arrays, loop devices, disks.

Source: /proc/self/mountinfo, /sys/dev/block, /sys/block (sysfs-block of the Linux kernel).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.system.host.machine import Machine
from assay.system.host.mounts import Mount, mount_of

Kind = Literal["disk", "partition", "loop", "device-mapper", "md"]


@dataclass(frozen=True)
class Layer:
    """One block device: its name, its directory in sysfs (as `Machine.text` takes it), and the devices below
    it.
    """

    name: str
    at: str
    kind: Kind
    below: tuple[Layer, ...] = ()


def layers(machine: Machine, path: Path) -> tuple[Layer, ...]:
    """Returns the devices under the file system of `path`: one, several for btrfs, none in memory or on a
    network.
    """
    mount = mount_of(machine, path)
    return () if mount is None else tuple(_layer(machine, place) for place in _devices(machine, mount))


def disks_under(machine: Machine, path: Path) -> list[Layer]:
    """Returns the devices whose queues serve `path`: whole disks, and loop devices, which have queues of
    their own.
    """

    def bottom(layer: Layer) -> list[Layer]:
        if layer.kind == "loop" or not layer.below:
            return [layer]
        return [found for one in layer.below for found in bottom(one)]

    found = {layer.name: layer for top in layers(machine, path) for layer in bottom(top)}
    return [found[name] for name in sorted(found)]


def devices_of(machine: Machine, path: Path) -> list[Layer]:
    """Returns the devices that the file system of `path` lies on directly; a partition counts as its disk."""
    tops = [layer.below[0] if layer.kind == "partition" else layer for layer in layers(machine, path)]
    return list({layer.name: layer for layer in tops}.values())


def driver_of(machine: Machine, device: Layer) -> str | None:
    """Returns the driver of the nearest device above this one in sysfs that has one."""
    if device.kind != "disk":
        return None
    place, root = machine.path(device.at).resolve(), machine.root.resolve() / "sys" / "devices"
    for folder in (place / "device", *place.parents):
        if not folder.resolve().is_relative_to(root):
            return None
        driver = (folder / "driver").resolve()
        # `sd` is the driver of every SCSI disk and says nothing of its controller.
        if driver.is_dir() and driver.name not in ("sd", "driver"):
            return driver.name
    return None


def sequence(machine: Machine, at: str) -> str:
    """Returns the kernel's disk sequence number, which no other disk has had since boot; empty before Linux
    5.15.

    `at` is a device's directory in sysfs; a partition has the number of its disk.
    """
    return machine.text(f"{at}/diskseq") or machine.text(f"{at}/../diskseq") or ""


def _devices(machine: Machine, mount: Mount) -> list[Path]:
    """Returns the directories in sysfs of the devices of a mount."""
    place = machine.path(f"/sys/dev/block/{mount.device}")
    if place.exists():
        return [place.resolve()]
    if not mount.source.startswith("/dev/"):
        return []
    # btrfs and the like: the mount has a number of its own, its source is one device.
    name = Path(mount.source).name
    several = "/sys/fs/btrfs"
    for system in machine.names(several):
        members = machine.names(f"{several}/{system}/devices")
        if name in members:
            return [machine.path(f"{several}/{system}/devices/{member}").resolve() for member in members]
    place = machine.path(f"/sys/class/block/{name}")
    return [place.resolve()] if place.exists() else []


def _layer(machine: Machine, device: Path) -> Layer:
    at = f"/{device.relative_to(machine.root.resolve())}"
    if (device / "partition").exists():
        return Layer(device.name, at, "partition", (_layer(machine, device.parent),))
    backing = machine.text(f"{at}/loop/backing_file")
    if backing is not None:
        return Layer(device.name, at, "loop", layers(machine, Path(backing)))
    below = tuple(_layer(machine, link.resolve()) for link in sorted((device / "slaves").glob("*")))
    kind: Kind = "device-mapper" if (device / "dm").exists() else "md" if (device / "md").exists() else "disk"
    return Layer(device.name, at, kind, below)
