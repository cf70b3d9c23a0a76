"""Checks the storage under the data: disks, arrays, controllers, file systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from assay.base.privileges import PRIVILEGES
from assay.system.host.check.finding import Facts, Finding
from assay.system.host.raid.find import no_tool_for

_SOUND = ("optl", "optimal", "ok")
_MEGARAID = "megaraid_sas"


def _disks(facts: Facts) -> Iterator[Finding]:
    blocks = facts.get("block", {})
    if not blocks:
        mend = "put the data on a disk: ASSAY_HOME, or data_dir in a study's [server]"
        yield Finding("disk", "note", "the data lies on no block device of this machine", mend)
    for name, device in blocks.items():
        if device.get("kind") == "loop":
            found = f"{name} is a file on another file system: every write is done twice"
            yield Finding("disk", "note", found)
        cache, believed = device.get("drive_write_cache"), device.get("queue", {}).get("write_cache")
        if believed == "write through" and cache and "write back" in cache:
            mend = f'echo "write back" > /sys/block/{name}/queue/write_cache'
            yield Finding(
                "disk",
                "disturbs",
                f"{name} caches writes, but receives no flushes: fsync returns too early",
                mend,
            )


def _arrays(facts: Facts) -> Iterator[Finding]:
    """Yields findings about md arrays: sysfs shows whether an array is complete, mdadm how far a rebuild has
    come.
    """
    details = facts.get("raid", {}).get("mdadm", {})
    for name, device in facts.get("block", {}).items():
        if lacking := device.get("raid_degraded"):
            found = f"{name} lacks {lacking} of its {device.get('raid_disks', '?')} disks"
            yield Finding("array", "disturbs", found, f"mdadm --detail /dev/{name}")
        if (doing := device.get("raid_sync_action")) not in (None, "idle", "frozen"):
            progress = details.get(name, {}).get("progress")
            found = f"{name} is busy in the background: {doing}" + (f" ({progress})" if progress else "")
            mend = f"wait for it (cat /proc/mdstat), or echo idle > /sys/block/{name}/md/sync_action"
            yield Finding("array", "disturbs", found, mend)


def _unknown_controllers(facts: Facts) -> Iterator[Finding]:
    """Yields a finding for each RAID controller whose own command line is missing, or unknown to Assay:
    nothing else can show the cache policy, which decides what fsync costs.
    """
    raid = facts.get("raid", {})
    known = {
        drive.get("disk") for found in raid.values() for drive in found.values() if isinstance(drive, Mapping)
    }
    for name, device in facts.get("block", {}).items():
        driver = device.get("driver")
        if found := no_tool_for(name, driver):
            yield Finding("RAID controller", "note", found, "read its cache policy with the vendor's tool")
        elif driver == _MEGARAID and name not in known:
            found = f"{name} is on a controller ({driver}) whose cache policy is unknown"
            mend = f"install storcli, perccli or MegaCli, whose use {PRIVILEGES['controllers'].told}"
            yield Finding("RAID controller", "note", found, mend)


def _file_systems(facts: Facts) -> Iterator[Finding]:
    for point, system in facts.get("file_system", {}).items():
        words = {*str(system.get("options", "")).split(","), *str(system.get("super_options", "")).split(",")}
        if system.get("type") in ("tmpfs", "ramfs"):
            yield Finding(
                "file system", "disturbs", f"{point} is in memory: fsync costs nothing", "set ASSAY_HOME"
            )
        if system.get("type") == "overlay":
            mend = "set ASSAY_HOME to a volume of the container"
            yield Finding(
                "file system", "disturbs", f"{point} is an overlay: the first write copies a file", mend
            )
        if "discard" in words:
            mend = f'fstrim now and then instead; in a study: [host] mount = "nodiscard" ({point})'
            yield Finding(
                "file system", "note", f"{point} discards at once: removed files cost I/O later", mend
            )
        if "nobarrier" in words or "barrier=0" in words:
            yield Finding(
                "file system",
                "disturbs",
                f"{point} sends no flushes: fsync promises nothing",
                f"mount -o remount,barrier {point}",
            )
        free, total = system.get("free_bytes"), system.get("total_bytes")
        if free is not None and total and free < total // 20:
            mend = "assay dataset rm --all, or another disk"
            yield Finding(
                "file system",
                "note",
                f"{point} is {100 - 100 * free // total} % full: writes slow down",
                mend,
            )


def _raid(facts: Facts) -> Iterator[Finding]:
    for tool, found in facts.get("raid", {}).items():
        if error := found.get("error"):
            yield Finding(
                "RAID controller",
                "note",
                f"{tool} failed: {error}",
                f"call it by hand; it {PRIVILEGES['controllers'].told}",
            )
        for address, drive in found.items() if tool != "mdadm" else ():
            if not isinstance(drive, Mapping) or "state" not in drive:
                continue
            name = f"{tool} {address}"
            if str(drive["state"]).lower() not in _SOUND:
                yield Finding(
                    "RAID controller", "disturbs", f"{name} is {drive['state']}", "look at its disks"
                )
            if doing := drive.get("at_work"):
                yield Finding(
                    "RAID controller", "disturbs", f"{name} is busy in the background: {doing}", "wait for it"
                )
            if was_set := drive.get("write_policy_set"):
                found = f"{name} is set to {was_set}, but writes through: its battery or its cache fails"
                mend = "look at the controller's battery: what it does will change with the charge"
                yield Finding("RAID controller", "disturbs", found, mend)
            elif drive.get("write_policy") == "always-write-back":
                found = f"{name} writes back without a battery too: what was committed may be lost"
                yield Finding("RAID controller", "note", found, "in a study: [host] raid.write_policy")
            elif drive.get("write_policy") == "write-through":
                mend = "look at its battery; in a study: [host] raid.write_policy"
                yield Finding(
                    "RAID controller",
                    "note",
                    f"{name} writes through: its cache does not speed up fsync",
                    mend,
                )


CHECKS: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    _disks,
    _arrays,
    _unknown_controllers,
    _file_systems,
    _raid,
)
