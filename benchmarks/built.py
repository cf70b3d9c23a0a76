"""Finds the bench's own small programs, which cargo puts beside the engine."""

from __future__ import annotations

import os
from pathlib import Path

from assay.base.errors import HostError
from assay.system.engine.process import find_engine


def built(name: str) -> Path:
    """Returns the path of a release binary. Raises `HostError`, which says how to build it, when it is
    missing.
    """
    folders = [find_engine().parent]
    if "CARGO_TARGET_DIR" in os.environ:
        folders.insert(0, Path(os.environ["CARGO_TARGET_DIR"]) / "release")
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise HostError(
        f"{name} is not built; looked in {', '.join(map(str, folders))}",
        hint=f"cargo build --release -p {name}, or `make bench`, which does",
    )
