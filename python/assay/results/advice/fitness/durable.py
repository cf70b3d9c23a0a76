"""Tells whether a synced write is kept, as far as software can know without cutting the power.

A sync is kept if the file system asks the device to flush its cache, if the device does so, and if the device
keeps what it says it keeps. The first can be read and counted; the second shows in its time; the third cannot
be seen. Sources: Documentation/block/writeback_cache_control.rst and Documentation/ABI/stable/sysfs-block of
the Linux kernel (`write_cache`, `fua`), Documentation/admin-guide/iostats.rst (flush requests).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.results.advice.fitness.kind import IN_MEMORY, NETWORKED, DiskClass, classed
from assay.results.advice.fitness.record import DiskMeasured

Kept = Literal["asked", "believed", "unknown", "not-kept"]
"""What is known of a synced write.

`asked`: Each sync gave the device a flush of its cache. `believed`: The device says that it has no cache that
could lose a write, so none was needed. `unknown`: Something beneath decides that cannot be seen from here.
`not-kept`: A synced write can be lost, and why is known.
"""

_NEARLY_ALL = 0.9
"""Flushes for each sync from which on every sync counts as handed on: one that finds a flush under way may
share it."""
_TURN_US = 4_000.0
"""Half a turn of a disk of 7,200 turns a minute: a spinning disk that syncs in less did not wait for its
platter."""

Reason = Literal[
    "in-memory",
    "no-barrier",
    "cache-not-flushed",
    "flushes-missing",
    "too-quick",
    "another-machine",
    "virtual",
    "loop",
    "flushed",
    "no-cache",
    "no-facts",
    "not-counted",
]


@dataclass(frozen=True)
class Durability:
    """What is known of synced writes, with the reasons, the gravest first."""

    word: Kept
    reasons: tuple[Reason, ...]


def durability(measured: DiskMeasured) -> Durability:
    """Returns what is known of synced writes on the disk."""
    lost = tuple(_against(measured))
    if lost:
        return Durability("not-kept", lost)
    beneath = tuple(_beneath(measured))
    known: Reason = _asked(measured)
    if beneath or known in ("no-facts", "not-counted", "flushes-missing", "too-quick"):
        return Durability("unknown", (*beneath, known))
    return Durability("asked" if known == "flushed" else "believed", (known,))


def _against(measured: DiskMeasured) -> list[Reason]:
    place, found = measured.place, list[Reason]()
    if classed(measured).facts == "ram" or place.file_system in IN_MEMORY:
        found.append("in-memory")
    if {"nobarrier", "barrier=0"} & set(place.options):
        found.append("no-barrier")
    for device in place.disks:
        drive = device.drive_write_cache
        if device.write_cache == "write through" and drive is not None and "write back" in drive:
            found.append("cache-not-flushed")
    return found


def _beneath(measured: DiskMeasured) -> list[Reason]:
    """Returns what lies beneath this machine, and decides there whether a write is kept."""
    facts: DiskClass = classed(measured).facts
    found = list[Reason]()
    if facts == "network" or measured.place.file_system in NETWORKED:
        found.append("another-machine")
    if facts == "virtual" or (measured.place.virtualisation is not None and "another-machine" not in found):
        found.append("virtual")
    if any(one.kind == "loop" for one in measured.place.devices):
        found.append("loop")
    return found


def _asked(measured: DiskMeasured) -> Reason:
    disks, flushes = measured.place.disks, measured.flushes
    caches = {one.write_cache for one in disks}
    if not disks or None in caches:
        return "no-facts"
    commit = measured.commit
    spins = classed(measured).word == "hdd"
    if spins and commit is not None and commit.times.count and commit.times.p50_us < _TURN_US:
        return "too-quick"
    if caches == {"write through"}:
        return "no-cache"
    if flushes is None or not flushes.syncs:
        return "not-counted"
    return "flushed" if flushes.each >= _NEARLY_ALL else "flushes-missing"
