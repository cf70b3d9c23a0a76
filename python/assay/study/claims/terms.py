"""What a claim speaks of: one measure, of these treatments, at this rung."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal, get_args

from assay.study.values import Scalar, level_text

LoadKind = Literal["threads", "rate", "iodepth"]
"""What the load points of a ladder are."""
LADDERS: tuple[str, ...] = get_args(LoadKind)

_BARE_LEVEL = re.compile(r"[^\s,\[\]\"=]+")


@dataclass(frozen=True)
class Selector:
    """Which treatments and which rungs. Nothing said: every treatment, every rung.

    `levels` pairs a factor with a level. In a study that was loaded, factors stand with their full names
    ("server.variables.innodb_purge_threads") and levels as the study writes them (4, not "4").
    """

    levels: tuple[tuple[str, Scalar], ...] = ()
    load: float | None = None
    load_kind: LoadKind = "threads"

    def __str__(self) -> str:
        parts = [f"{name}={_level(level)}" for name, level in self.levels]
        if self.load is not None:
            parts.append(f"{self.load_kind}={level_text(self.load)}")
        return f"[{', '.join(parts)}]" if parts else ""


@dataclass(frozen=True)
class Term:
    """One measure of what the selector selects."""

    measure: str  # a key of MEASURES, or one of OF_A_KIND after a kind and a dot: "new_order.p95_ms"
    selector: Selector = Selector()

    def __str__(self) -> str:
        return f"{self.measure}{self.selector}"


def _level(level: Scalar) -> str:
    text = level_text(level)
    return text if _BARE_LEVEL.fullmatch(text) else json.dumps(text, ensure_ascii=False)
