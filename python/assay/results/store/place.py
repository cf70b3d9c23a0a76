"""Where the store of a results folder lies: in it, or in a private folder where it cannot be written there.

A results folder that others own, that is mounted read-only, or in which `store` is no folder, has its store
among this account's own files. The least used of these make room.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from assay.base.file_cache import name_of
from assay.base.home import home
from assay.base.inner_path import InnerPath
from assay.design.folder import ResultsFolder

MOST = 32
"""How many private stores are kept."""


def place_of(folder: ResultsFolder) -> InnerPath:
    """Returns the folder of the store, which may be missing."""
    return folder.store if _can_be_written(folder) else _private(folder)


def lock_of(place: InnerPath) -> Path:
    """Returns the file by which one process at a time builds a store."""
    return place.with_name(f".{place.name}.lock").path


def _can_be_written(folder: ResultsFolder) -> bool:
    store = folder.store
    try:
        handle = store.folder_descriptor() if store.exists() else os.open(folder.path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.access(f"/proc/self/fd/{handle}", os.W_OK | os.X_OK)
    finally:
        os.close(handle)


def _private(folder: ResultsFolder) -> InnerPath:
    place = home() / "stores"
    store = place / name_of(str(folder.path.resolve()))
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.utime(store)  # used now
    if not store.exists():
        _make_room(place)
    return InnerPath(place, store)


def _make_room(place: Path) -> None:
    with suppress(OSError):
        stores = sorted((one.stat().st_mtime, one) for one in place.iterdir() if one.is_dir())
        for _, one in stores[: max(0, len(stores) - MOST + 1)]:
            shutil.rmtree(one, ignore_errors=True)
