"""Finds the files of tables in a data directory."""

from __future__ import annotations

from pathlib import Path

from assay.system.server import OF_SERVER

_SYSTEM = OF_SERVER | {"test"}


def table_files(data_dir: Path) -> list[Path]:
    """Returns the files in each database's folder, without those of the server's own databases."""
    return [
        path
        for folder in data_dir.iterdir()
        if folder.is_dir() and folder.name not in _SYSTEM and not folder.name.startswith(("#", "."))
        for path in folder.iterdir()
        if path.is_file()
    ]
