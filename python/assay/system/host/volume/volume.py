"""Makes a volume of loop devices, and fails and replaces its devices. Its maker removes what it noted."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError
from assay.system.host.machine import Machine
from assay.system.host.privileges import lacks
from assay.system.host.volume import array, file_system, loop, rebuild
from assay.system.host.volume.rebuild import Rebuild
from assay.system.host.volume.spec import VolumeSpec

_SPARE = "spare"

Note = Callable[[Literal["loop", "array", "mount"], str], None]
"""Is called with what is about to be made, so that its owner can remove it in the end."""


@dataclass
class Volume:
    """A volume that is mounted at `point`; `devices` are in the order of their numbers, from 1."""

    spec: VolumeSpec
    point: Path
    devices: list[Path]
    usable_bytes: int  # for files, when it was empty
    array: Path | None = None  # that md makes of the devices; None: there is one, or btrfs joins them
    spare: Path | None = None  # idle until it takes the place of another

    def fail(self, number: int) -> None:
        """Makes every later request to this device end with an I/O error."""
        loop.fail(self.devices[number - 1])

    def replace(self, number: int) -> Rebuild:
        """Begins to replace this device with the spare, which takes seconds to hours.

        Raises HostError when the volume refuses the spare.
        """
        assert self.spare is not None
        old, spare = self.devices[number - 1], self.spare
        rebuilding = rebuild.begin(number, spare, self.point, f"{spare} could not take the place of {old}")
        self.devices[number - 1] = spare
        return rebuilding

    def errors(self) -> dict[int, dict[str, int]]:
        """Returns, by device number, how many requests ended with an error, by kind.

        Empty where the file system does not count them.
        """
        if self.spec.file_system != "btrfs":
            return {}
        found = rebuild.errors(self.point)
        return {number: found[device] for number, device in enumerate(self.devices, 1) if device in found}


def refusal(machine: Machine, spec: VolumeSpec) -> str | None:
    """Returns why this machine cannot make such a volume; None when it can."""
    if (lacking := lacks("volumes", machine)) is not None:
        return f"that {lacking}"
    for name, package in (("losetup", "mount"), ("mount", "mount"), ("umount", "mount")):
        if machine.program(name) is None:
            return f"there is no {name}: apt-get install {package}"
    if machine.path("/dev/loop-control").exists() is False:
        return "this kernel has no loop devices (CONFIG_BLK_DEV_LOOP; modprobe loop)"
    if spec.by_md and (reason := array.refusal(machine, spec.raid)):
        return f'{spec.raid} of {spec.file_system}: {reason}; file_system = "btrfs" has its own'
    return file_system.refusal(machine, spec)


def make_volume(spec: VolumeSpec, folder: Path, note: Note) -> Volume:
    """Makes a volume in an empty folder: files, loop devices on them, and a mounted file system.

    Raises HostError, with the reason of the program that refused, when it cannot be made.
    """
    if reason := refusal(Machine(), spec):
        raise HostError(f"[volume]: {reason}")
    files = [folder / f"device-{number}" for number in range(1, spec.devices + 1)]
    # What is noted last is removed first: a device cannot go before the file system on it.
    for file in [*files, *([folder / _SPARE] * spec.spares)]:
        note("loop", str(file))
    devices = [_device(spec, file) for file in files]
    # Before any load: to make it is work of its own.
    spare = _device(spec, folder / _SPARE) if spec.spares else None
    joined = _array(spec, folder, devices, note) if spec.by_md else None
    ground = devices if joined is None else [joined]
    file_system.make(spec, ground)
    point = folder / "mounted"
    point.mkdir()
    note("mount", str(point))
    file_system.mount(spec, ground[0], point)
    return Volume(spec, point, devices, file_system.usable_bytes(spec, point), joined, spare)


def _array(spec: VolumeSpec, folder: Path, devices: list[Path], note: Note) -> Path:
    path = array.path_of(folder.name.rpartition("-")[0])  # md takes names of 32 characters
    note("array", str(path))
    array.create(path, spec.raid, devices)
    return path


def _device(spec: VolumeSpec, file: Path) -> Path:
    with file.open("xb") as backing:
        try:
            os.posix_fallocate(backing.fileno(), 0, spec.device_bytes)
        except OSError as error:
            raise HostError(f"[volume]: no room for {file}: {error.strerror}") from error
    return loop.attach(file, spec.allocated_bytes, page_cache=spec.page_cache)
