"""Reads where the files of a measurement lie: file system, devices, and what limits them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.results.advice import IN_MEMORY, Device, DiskDoubt, Place
from assay.system.host import Machine, disks_under, host_facts, mount_of

_FULL = 0.95


def place_of(directory: Path, facts: Mapping[str, Any], machine: Machine) -> Place:
    """Returns the place of a directory. Raises InputError for one in memory."""
    mount = mount_of(machine, directory)
    kind = mount.kind if mount else "unknown"
    if kind in IN_MEMORY:
        raise InputError(
            f"{directory} is in memory ({kind}): a sync costs nothing there, and nothing outlives a restart",
            hint="name a directory on the disk that will hold the data",
        )
    system = facts.get("system", {})
    return Place(
        directory=str(directory),
        mount=mount.point if mount else "",
        file_system=kind,
        options=tuple(dict.fromkeys(f"{mount.options},{mount.super_options}".split(",")) if mount else ()),
        devices=tuple(_device(name, one) for name, one in facts.get("block", {}).items()),
        virtualisation=system.get("virtualisation"),
        host=str(system.get("hostname", "")),
        kernel=str(facts.get("kernel", {}).get("release", "")),
    )


def _device(name: str, facts: Mapping[str, Any]) -> Device:
    queue = facts.get("queue", {})
    named = (facts.get("vendor"), facts.get("model"))
    model = " ".join(part for part in named if part and not part.startswith("0x"))  # virtio has numbers
    return Device(
        name=name,
        kind=facts["kind"],
        model=model or None,
        driver=facts.get("driver"),
        rotational=_flag(queue.get("rotational")),
        write_cache=queue.get("write_cache"),
        drive_write_cache=facts.get("drive_write_cache"),
        fua=_flag(queue.get("fua")),
        size_bytes=facts.get("size_bytes"),
    )


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def doubts_of_place(place: Place, facts: Mapping[str, Any], *, direct: bool) -> Iterator[DiskDoubt]:
    """Yields what about the place makes the figures doubtful, by facts alone."""
    if not direct:
        yield DiskDoubt("page-cache", "warning", {"file_system": place.file_system})
    if "discard" in place.options:
        yield DiskDoubt("discards", "note", {"mount": place.mount})
    system = facts.get("file_system", {}).get(place.mount, {})
    total, free = system.get("total_bytes"), system.get("free_bytes")
    if total and free is not None and 1 - free / total > _FULL:
        yield DiskDoubt(
            "nearly-full", "note", {"used": round(100 * (1 - free / total)), "mount": place.mount}
        )
    limits = facts.get("cgroup", {})
    if limit := limits.get("io_max"):
        yield DiskDoubt("io-quota", "warning", {"limit": str(limit)})
    if limit := limits.get("cpu_max") or limits.get("cpu_quota_us"):
        yield DiskDoubt("cpu-quota", "note", {"limit": str(limit)})
    for name, one in facts.get("block", {}).items():
        if (doing := one.get("raid_sync_action")) not in (None, "idle", "frozen"):
            yield DiskDoubt("array-busy", "warning", {"device": name, "doing": str(doing)})
        if one.get("raid_degraded"):
            yield DiskDoubt("array-degraded", "warning", {"device": name})


class FlushCounts:
    """Reads how many flushes of their caches the disks under a directory have been given since boot.

    Source: field 16 of /sys/block/*/stat, since Linux 5.5.
    """

    def __init__(self, directory: Path, machine: Machine) -> None:
        self._machine = machine
        self._disks = disks_under(machine, directory)

    def read(self) -> list[int] | None:
        """Returns a count for each disk; None where the kernel does not count them."""
        found = []
        for disk in self._disks:
            fields = (self._machine.text(f"{disk.at}/stat") or "").split()
            if len(fields) < 17:
                return None
            found.append(int(fields[15]))
        return found or None


def facts_of(directory: Path, machine: Machine) -> Mapping[str, Any]:
    """Returns the facts of this machine with the disks under a directory."""
    return host_facts([directory], machine)
