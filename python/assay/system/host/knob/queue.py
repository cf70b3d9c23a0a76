"""Base classes of the knobs of a block device's queue, each a file in /sys/block/NAME/queue.

Source: Documentation/ABI/stable/sysfs-block of the Linux kernel.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from assay.base.errors import HostError
from assay.system.host.knob.file_knob import FileKnob
from assay.system.host.machine import Machine
from assay.system.host.mounts import mount_of
from assay.system.host.stack import Layer, devices_of, disks_under, sequence


class QueueKnob(FileKnob):
    """A knob whose targets are the disks under the data: all disks of a volume or array, and the whole disk
    of a partition.
    """

    attribute: ClassVar[str]
    absent = "this kernel has no such setting for this kind of device"

    def file(self, target: str) -> str:
        return f"/sys/block/{target}/queue/{self.attribute}"

    def targets(self, machine: Machine, data: Path) -> list[str]:
        found = self.devices(machine, data)
        if not found:
            mount = mount_of(machine, data)
            where = "no file system" if mount is None else f"{mount.kind} mounted on {mount.point}"
            raise HostError(
                f"{data} lies on {where}, which has no block device here",
                hint='set server.data_dir to a directory on a disk, such as "/data/fast"',
            )
        return [layer.name for layer in found]

    def identity(self, machine: Machine, target: str) -> str:
        return sequence(machine, f"/sys/block/{target}")

    def devices(self, machine: Machine, data: Path) -> list[Layer]:
        return disks_under(machine, data)


class UppermostQueueKnob(QueueKnob):
    """A queue setting of the uppermost device under the data (a volume or an array), the only one that
    matters to the file system.
    """

    def devices(self, machine: Machine, data: Path) -> list[Layer]:
        return devices_of(machine, data)
