"""Files that are there whole or not at all, and stay there after the power went."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """A file that is there whole or not at all, whatever happens meanwhile."""
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    part.rename(path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Makes the names in a directory durable: what was created, renamed or removed there."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
