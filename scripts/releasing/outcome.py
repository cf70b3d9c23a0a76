"""The outcome of one line of the check list of a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "failed", "not done here"]


@dataclass(frozen=True)
class Outcome:
    """What a check found. `why` says what is wrong, or why it was not done; with `ok`, what was looked at."""

    state: State
    why: str = ""


def judged(wrong: list[str], looked_at: str = "") -> Outcome:
    """Returns `failed` with everything that is wrong, or `ok`."""
    return Outcome("failed", "; ".join(wrong)) if wrong else Outcome("ok", looked_at)
