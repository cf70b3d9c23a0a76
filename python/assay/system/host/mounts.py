"""Finds the mount that a path lies on. Source: /proc/self/mountinfo (proc_pid_mountinfo(5))."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from assay.system.host.machine import Machine


@dataclass(frozen=True)
class Mount:
    """One line of mountinfo. `device` is `major:minor`; btrfs and overlay have one of their own (major 0)."""

    device: str
    root: str
    """The part of the file system that is mounted; `/` is all of it."""
    point: str
    options: str
    kind: str
    source: str
    super_options: str


def mounts(machine: Machine) -> list[Mount]:
    """Returns all mounts that this process sees, in the order of mounting."""
    lines = (machine.text("/proc/self/mountinfo") or "").splitlines()
    return [mount for line in lines if (mount := _parse(line))]


def mount_of(machine: Machine, path: Path) -> Mount | None:
    """Returns the mount that holds `path`: the longest mount point above it; of several at one point, the
    last mounted.
    """
    place = machine.real(path)
    found: Mount | None = None
    for mount in mounts(machine):
        if place.is_relative_to(mount.point) and (not found or len(mount.point) >= len(found.point)):
            found = mount
    return found


def _parse(line: str) -> Mount | None:
    left, mark, right = line.partition(" - ")
    before, after = left.split(), right.split()
    if not mark or len(before) < 6 or len(after) < 3:
        return None
    return Mount(
        before[2], _plain(before[3]), _plain(before[4]), before[5], after[0], _plain(after[1]), after[2]
    )


def _plain(text: str) -> str:
    """Returns the text with octal escapes, which mountinfo uses for blanks, decoded."""
    return re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), text)
