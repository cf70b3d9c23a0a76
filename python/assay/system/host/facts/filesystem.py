"""Reads facts about the file systems under given paths: type, options, size. Source: /proc/self/mountinfo,
statvfs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from assay.system.host.machine import Machine, present
from assay.system.host.mounts import mount_of


def facts(machine: Machine, paths: Sequence[Path] = ()) -> dict[str, object]:
    """Returns, by mount point, `type`, `source`, `options`, `super_options`, `block_bytes`, `total_bytes`
    …
    """
    found: dict[str, object] = {}
    for path in paths:
        mount = mount_of(machine, path)
        if mount and mount.point not in found:
            found[mount.point] = present(
                [
                    ("type", mount.kind),
                    ("source", mount.source),
                    ("options", mount.options),
                    ("super_options", mount.super_options),
                    *_size(machine, mount.point),
                ]
            )
    return found


def _size(machine: Machine, point: str) -> list[tuple[str, object]]:
    try:
        state = os.statvfs(machine.path(point))
    except OSError:
        return []
    return [
        ("block_bytes", state.f_bsize),
        ("total_bytes", state.f_blocks * state.f_frsize),
        ("free_bytes", state.f_bavail * state.f_frsize),
    ]
