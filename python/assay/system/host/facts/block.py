"""Reads facts about the block devices under given paths, layer by layer, with their queue settings.

Source: /sys/dev/block, /sys/block (Documentation/ABI/stable/sysfs-block of the Linux kernel).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from assay.system.host.machine import Machine, present
from assay.system.host.stack import Layer, driver_of, layers

_QUEUE_NUMBERS = (
    "rotational",
    "read_ahead_kb",
    "nr_requests",
    "rq_affinity",
    "nomerges",
    "max_sectors_kb",
    "logical_block_size",
    "physical_block_size",
    "minimum_io_size",
    "optimal_io_size",
    "discard_granularity",
    "discard_max_bytes",
    "fua",
    "wbt_lat_usec",
    "add_random",
    "iostats",
)
_MD_TEXTS = (
    "array_state",
    "sync_action",
    "sync_completed",
    "layout",
    "chunk_size",
    "consistency_policy",
    "mismatch_cnt",
)


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns, by device, its `kind` (disk, partition, loop, device-mapper, md), size, model, `below` and
    `queue` settings.

    `below` names the devices under it: a volume on RAID on disks gives all three layers.
    """
    found: dict[str, object] = {}
    for path in paths:
        for layer in layers(machine, path):
            _describe(machine, layer, found)
    return found


def _describe(machine: Machine, device: Layer, found: dict[str, object]) -> None:
    if device.name in found:
        return
    at = device.at
    schedulers = machine.text(f"{at}/queue/scheduler")
    queue = present(
        [
            ("scheduler", machine.chosen(f"{at}/queue/scheduler")),
            ("schedulers", schedulers.replace("[", "").replace("]", "") if schedulers else None),
            ("write_cache", machine.text(f"{at}/queue/write_cache")),
            *((name, machine.number(f"{at}/queue/{name}")) for name in _QUEUE_NUMBERS),
        ]
    )
    sectors = machine.number(f"{at}/size")
    found[device.name] = present(
        [
            ("kind", device.kind),
            ("size_bytes", sectors * 512 if sectors is not None else None),
            ("model", machine.text(f"{at}/device/model")),
            ("vendor", machine.text(f"{at}/device/vendor")),
            ("firmware", machine.text(f"{at}/device/firmware_rev") or machine.text(f"{at}/device/rev")),
            ("serial", machine.text(f"{at}/serial") or machine.text(f"{at}/device/serial")),
            ("driver", driver_of(machine, device)),
            ("controller", _controller(machine, device)),
            ("drive_write_cache", _drive_write_cache(machine, device)),
            ("backing_file", machine.text(f"{at}/loop/backing_file")),
            ("loop_direct_io", machine.number(f"{at}/loop/dio")),
            ("mapper_name", machine.text(f"{at}/dm/name")),
            ("mapper_kind", _mapper_kind(machine.text(f"{at}/dm/uuid"))),
            ("raid_level", machine.text(f"{at}/md/level")),
            ("raid_disks", machine.number(f"{at}/md/raid_disks")),
            ("raid_degraded", machine.number(f"{at}/md/degraded")),
            *((f"raid_{name}", machine.text(f"{at}/md/{name}")) for name in _MD_TEXTS),
            ("below", " ".join(layer.name for layer in device.below) or None),
            ("queue", queue),
        ]
    )
    for layer in device.below:
        _describe(machine, layer, found)


def _controller(machine: Machine, device: Layer) -> str | None:
    """Returns the PCI address and `vendor:device` of a disk's controller, as lspci -nn shows them."""
    addresses = re.findall(r"/([0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(?=/)", device.at)
    if not addresses:
        return None
    at = device.at[: device.at.rindex(addresses[-1])] + addresses[-1]
    numbers = [machine.text(f"{at}/{name}") for name in ("vendor", "device")]
    known = ":".join(number.removeprefix("0x") for number in numbers if number)
    return f"{addresses[-1]} {known}".strip()


def _drive_write_cache(machine: Machine, device: Layer) -> str | None:
    """Returns the cache mode that a SCSI disk reports, which may differ from what the kernel assumes."""
    folder = f"{device.at}/device/scsi_disk"
    return next(
        (found for name in machine.names(folder) if (found := machine.text(f"{folder}/{name}/cache_type"))),
        None,
    )


def _mapper_kind(uuid: str | None) -> str | None:
    """Returns the program that made a device-mapper volume, from its uuid: `LVM-…`, `CRYPT-LUKS2-…`,
    `mpath-…`.
    """
    return None if uuid is None else uuid.partition("-")[0].lower()
