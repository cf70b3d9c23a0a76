"""The parts of the measured window that a claim, or one term of it, is about: `in last 10m`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.design.study.values import level_text

MOMENTS = {
    "full_pool": "the first second in which the buffer pool has no more free pages than the server keeps free"
}
"""Named moments of a window, with their meaning."""


@dataclass(frozen=True)
class Window:
    """A part of the measured window: `in last 10m`, `in first 60s`, `before full_pool`, `after 10m`.

    `edge` is seconds (the part's length; for before and after the time since the window began), or one of
    MOMENTS.
    """

    side: Literal["first", "last", "before", "after"]
    edge: float | str

    def __str__(self) -> str:
        edge = self.edge if isinstance(self.edge, str) else f"{level_text(self.edge)}s"
        return f"{'in ' if self.side in ('first', 'last') else ''}{self.side} {edge}"
