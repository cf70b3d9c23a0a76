"""What the tests of the command line share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PATIENCE_S = 180.0
GENTLE = "rate = [100]"
"""A load for what is not of throughput: a closed loop would take the processors from the tests beside."""


def at_ease(threads: str) -> str:
    """Returns a closed loop that thinks most of the time.

    It leaves the processors to the tests beside, and its throughput hardly depends on how busy these are.
    """
    return f"threads = {threads}\nthink_ms = 5"


@dataclass(frozen=True)
class Finished:
    """A command that has ended."""

    code: int
    out: str
    err: str


def written(files: Iterable[Path], text: str, times: int = 1) -> bool:
    """Whether some of the files has the text so often. A file is gone when its run ends meanwhile."""
    for file in files:
        with suppress(FileNotFoundError):
            if file.read_bytes().count(text.encode()) >= times:
                return True
    return False


def wait_for(what: Callable[[], object]) -> None:
    """Returns when `what` is true; fails the test when that takes longer than patience."""
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
