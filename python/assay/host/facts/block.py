"""Block devices under given paths, down to the real ones, with their queue settings.

Source: /sys/dev/block, /sys/block (Documentation/ABI/stable/sysfs-block of the Linux kernel).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.host.facts.mounts import mount_of
from assay.host.machine import Machine, present

_QUEUE_NUMBERS = (
    "rotational",
    "read_ahead_kb",
    "nr_requests",
    "rq_affinity",
    "nomerges",
    "max_sectors_kb",
    "logical_block_size",
    "physical_block_size",
    "discard_granularity",
    "fua",
    "wbt_lat_usec",
    "add_random",
    "iostats",
)


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Device -> `kind` (disk, partition, device-mapper, md), size, model, `below`, `queue` settings.

    `below` is what it stands on: a volume on RAID on disks gives all three layers.
    """
    found: dict[str, object] = {}
    for path in paths:
        mount = mount_of(machine, path)
        if mount is None:
            continue
        place = machine.path(f"/sys/dev/block/{mount.device}")
        if not place.exists() and mount.source.startswith("/dev/"):
            # btrfs and the like: the mount has a number of its own, its source is a device.
            place = machine.path(f"/sys/class/block/{Path(mount.source).name}")
        if place.exists():
            _describe(machine, place.resolve(), found)
    return found


def _describe(machine: Machine, device: Path, found: dict[str, object]) -> None:
    if device.name in found:
        return
    partition = (device / "partition").exists()
    below = (
        [device.parent] if partition else [link.resolve() for link in sorted((device / "slaves").glob("*"))]
    )

    at = f"/{device.relative_to(machine.root.resolve())}"
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
            ("kind", _kind(device, partition)),
            ("size_bytes", sectors * 512 if sectors is not None else None),
            ("model", machine.text(f"{at}/device/model")),
            ("vendor", machine.text(f"{at}/device/vendor")),
            ("firmware", machine.text(f"{at}/device/firmware_rev") or machine.text(f"{at}/device/rev")),
            ("mapper_name", machine.text(f"{at}/dm/name")),
            ("raid_level", machine.text(f"{at}/md/level")),
            ("below", " ".join(layer.name for layer in below) or None),
            ("queue", queue),
        ]
    )
    for layer in below:
        _describe(machine, layer, found)


def _kind(device: Path, partition: bool) -> str:
    if partition:
        return "partition"
    if (device / "dm").exists():
        return "device-mapper"
    return "md" if (device / "md").exists() else "disk"
