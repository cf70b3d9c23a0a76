"""What the tests of the command line share."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

PATIENCE_S = 180.0
GENTLE = "rate = [100]"
"""A load for what is not of throughput: a closed loop would take the processors from the tests beside."""


@dataclass(frozen=True)
class Finished:
    """A command that has ended."""

    code: int
    out: str
    err: str


def command_line(arguments: Sequence[str]) -> list[str]:
    """`assay …` with this Python."""
    return [sys.executable, "-m", "assay.cli", *arguments]


def wait_for(what: Callable[[], object]) -> None:
    """Returns when `what` is true; fails the test when that takes longer than patience."""
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
