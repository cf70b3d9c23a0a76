"""Tells the class of a disk, once by what the machine says of it and once by what was measured.

Sources: the Serial ATA specification (600 MB/s on the wire, about 550 of data), which 16 KiB reads cannot
pass at more than some 34,000 a second; a disk of 7,200 turns a minute waits half a turn, 4.2 ms, for a random
block; the kernel's Documentation/ABI/stable/sysfs-block (`rotational`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.results.advice.disk import SEEKS_MS
from assay.results.advice.fitness.record import DiskMeasured, Place

DiskClass = Literal["hdd", "sata-ssd", "nvme", "network", "ram", "virtual", "unknown"]

NETWORKED = (
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "ceph",
    "glusterfs",
    "9p",
    "lustre",
    "gpfs",
    "afs",
    "virtiofs",
)
"""File systems whose files another machine keeps."""
IN_MEMORY = ("tmpfs", "ramfs", "devtmpfs", "hugetlbfs")
_RAM_DEVICES = ("ram", "zram", "pmem", "brd")
_NETWORK_DEVICES = ("rbd", "nbd", "drbd", "dasd")
_VIRTUAL_DEVICES = ("vd", "xvd")
_VIRTUAL_MODELS = (
    "qemu",
    "virtual",
    "vbox",
    "vmware",
    "msft",
    "persistentdisk",
    "google",
    "alibaba",
    "virtio",
)
_NETWORK_MODELS = ("elastic block store", "persistentdisk", "iscsi", "lio-org")

_SATA_BYTES_PER_S = 550e6
_OF_MEMORY_US = 12.0
"""A random read of a page in less comes from memory: the quickest device that keeps it takes about 10 µs for
4 KiB, and 16 KiB take longer."""
_OF_A_LOCAL_SSD_US = 350.0
"""A random read that takes longer, and no arm's time, crosses a network."""


@dataclass(frozen=True)
class Classed:
    """The class of a disk by facts and by figures; `figures` has None where too little was measured.

    `is_disputed`: both are known, and they differ.
    """

    facts: DiskClass
    figures: DiskClass | None
    read_us: float | None  # median time of a random read, one at a time
    most_reads: float | None  # a second

    @property
    def word(self) -> DiskClass:
        """The class to name: that of the figures where the facts are silent or name only a virtual disk; else
        that of the facts, but memory, which only facts can prove, and figures can show.
        """
        if self.facts in ("unknown", "virtual"):
            return self.figures or self.facts
        return self.facts

    @property
    def is_disputed(self) -> bool:
        known = self.facts not in ("unknown", "virtual") and self.figures is not None
        return known and self.figures != self.facts


def classed(measured: DiskMeasured) -> Classed:
    """Returns the class of the disk."""
    reads = measured.of("read")
    facts = class_by_facts(measured.place)
    if not reads or not measured.direct or not reads[0].times.count:
        return Classed(facts, None, None, None)
    read_us, most = reads[0].times.p50_us, max(one.rate.value for one in reads)
    return Classed(facts, class_by_figures(read_us, most * reads[0].load.block_bytes), read_us, most)


def class_by_figures(read_us: float, most_bytes_per_s: float) -> DiskClass:
    """Returns the class by the median time of a single random read and by the most bytes a second of
    them.
    """
    if read_us < _OF_MEMORY_US:
        return "ram"
    if most_bytes_per_s > _SATA_BYTES_PER_S:
        return "nvme"
    if read_us >= SEEKS_MS * 1000:
        return "hdd"
    return "network" if read_us > _OF_A_LOCAL_SSD_US else "sata-ssd"


def class_by_facts(place: Place) -> DiskClass:
    """Returns the class by file system, names, models and drivers; several disks of different classes are
    unknown.
    """
    if place.file_system in IN_MEMORY:
        return "ram"
    if place.file_system in NETWORKED or place.file_system.startswith("fuse."):
        return "network"
    found = {_of_device(one.name, one.model or "", one.rotational, place) for one in place.disks}
    return found.pop() if len(found) == 1 else "unknown"


def _of_device(name: str, model: str, rotational: bool | None, place: Place) -> DiskClass:
    lower = model.lower()
    if name.startswith(_RAM_DEVICES):
        return "ram"
    if name.startswith(_NETWORK_DEVICES) or any(one in lower for one in _NETWORK_MODELS):
        return "network"
    if name.startswith("loop"):
        return "unknown"
    if name.startswith(_VIRTUAL_DEVICES) or any(one in lower for one in _VIRTUAL_MODELS):
        return "virtual"
    if name.startswith("nvme"):
        return "nvme"
    if place.virtualisation is not None:
        return "virtual"
    if rotational is None:
        return "unknown"
    return "hdd" if rotational else "sata-ssd"
