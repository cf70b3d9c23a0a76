"""Writes files that are complete or absent, also after a loss of power."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that a reader, or a loss of power, never finds it half written."""
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    part.rename(path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Makes the creations, renames and removals in a directory durable (fsync)."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
