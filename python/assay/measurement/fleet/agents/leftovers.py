"""The directories of what agents run: each names its agent, so that a killed one's are found."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from assay.system.server import home
from assay.system.server.process import ProcessId

_ENGINE, _BLOCK = "assay-generator-", "assay-block-"
_NAME = re.compile(rf"(?:{_ENGINE}|{_BLOCK})(\d+)-(\d+)-\w+")


def engine_folder() -> Path:
    """Makes a directory for the files of one engine, closed to others, and named after this process."""
    return _made(Path(tempfile.gettempdir()), _ENGINE)


def block_folder() -> Path:
    """Makes a directory for the results of one block, on the disk that holds what Assay keeps."""
    place = _blocks()
    place.mkdir(parents=True, exist_ok=True)
    return _made(place, _BLOCK)


def _blocks() -> Path:
    return home() / "blocks"


def _made(place: Path, prefix: str) -> Path:
    me = ProcessId.of(os.getpid())
    assert me is not None
    return Path(tempfile.mkdtemp(prefix=f"{prefix}{me.pid}-{me.start_ticks}-", dir=place))


def sweep_generators() -> list[str]:
    """Removes the directories of this user's agents that have gone; returns a line for each."""
    done = []
    engines = Path(tempfile.gettempdir()).glob(f"{_ENGINE}*")
    for path in sorted([*engines, *_blocks().glob(f"{_BLOCK}*")]):
        named = _NAME.fullmatch(path.name)
        if named is None or ProcessId(int(named[1]), int(named[2])).alive() or not _is_ours(path):
            continue
        shutil.rmtree(path, ignore_errors=True)
        done.append(f"removed {path}")
    return done


def _is_ours(path: Path) -> bool:
    try:
        return path.lstat().st_uid == os.geteuid()
    except FileNotFoundError:  # another sweep was faster
        return False
