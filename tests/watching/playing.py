"""Plays a recording without waiting, and looks at it after every step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assay.design.folder import ResultsFolder
from assay.testing.player import Player


def played(
    source: ResultsFolder, target: Path, look: Callable[[], None] = lambda: None, *, torn: bool = False
) -> ResultsFolder:
    """Plays `source` into `target`; `look` is called wherever the player would wait."""
    copy = ResultsFolder(target)
    Player(source, copy, speed=1.0, torn=torn, sleep=lambda seconds: look()).play()
    look()
    return copy
