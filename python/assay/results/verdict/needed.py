"""How many more blocks a statement needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Needed:
    """How many more blocks would probably decide a statement; None where that is unknown, or too many."""

    blocks: int | None = None
    too_many: bool = False


UNKNOWN = Needed()
