"""The files of the tables in a data directory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

_SYSTEM = ("mysql", "performance_schema", "sys", "test")


def table_files(data_dir: Path) -> list[Path]:
    """One folder a database; the server's own are left out."""
    return [
        path
        for folder in data_dir.iterdir()
        if folder.is_dir() and folder.name not in _SYSTEM and not folder.name.startswith(("#", "."))
        for path in folder.iterdir()
        if path.is_file()
    ]


def forget_cached(files: Iterable[Path]) -> None:
    """Has the kernel drop what it holds of them in memory, once it is on disk (posix_fadvise(2))."""
    for path in files:
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(file)
