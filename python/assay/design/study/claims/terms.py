"""The terms of a claim: one measure, of selected treatments, at a rung."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal, get_args

from assay.design.study.claims.windows import Window
from assay.design.study.measures import unit_of
from assay.design.study.values import Scalar, level_text

LoadKind = Literal["threads", "rate", "iodepth"]
"""The kinds of load points that a ladder can have."""
LADDERS: tuple[str, ...] = get_args(LoadKind)

Statistic = Literal["cv", "sd", "median", "max", "min"]
STATISTICS: tuple[str, ...] = get_args(Statistic)
OF_RUNS = ("cv", "sd")
"""Statistics that several runs have, too."""

_BARE_LEVEL = re.compile(r"[^\s,\[\]\"=|]+")
_WORDS = ("some", "other")


@dataclass(frozen=True)
class Among:
    """Several levels of one factor.

    `or`: each of those listed (`2|4`). `other`: each that the claim does not name elsewhere. `some`: at least
    one of those that it does not name elsewhere. `levels` of the last two are filled in when a study is read.
    """

    word: Literal["or", "other", "some"]
    levels: tuple[Scalar, ...] = ()

    def __str__(self) -> str:
        return self.word if self.word != "or" else "|".join(bare(level) for level in self.levels)


@dataclass(frozen=True)
class Selector:
    """The treatments and rungs that a term selects; empty, it selects all of them.

    `levels` pairs a factor with a level, or with several. In a study that was loaded, factors have their full
    names ("server.variables.innodb_purge_threads") and levels the study's values (4, not "4").
    """

    levels: tuple[tuple[str, Scalar | Among], ...] = ()
    load: float | None = None
    load_kind: LoadKind = "threads"

    def __str__(self) -> str:
        parts = [
            f"{name}={level if isinstance(level, Among) else bare(level)}" for name, level in self.levels
        ]
        if self.load is not None:
            parts.append(f"{self.load_kind}={level_text(self.load)}")
        return f"[{', '.join(parts)}]" if parts else ""


@dataclass(frozen=True)
class Summary:
    """A figure of several: `(cv, 10s)` is the spread of the ten-second means of a window, `(cv, runs)` that
    of the runs of a treatment.
    """

    statistic: Statistic
    every_s: float | None  # None: of whole runs

    @property
    def relative(self) -> bool:
        """Whether it is a share of the mean, in per cent."""
        return self.statistic == "cv"

    @property
    def over_runs(self) -> bool:
        return self.every_s is None

    def __str__(self) -> str:
        return f"({self.statistic}, {'runs' if self.every_s is None else f'{level_text(self.every_s)}s'})"


@dataclass(frozen=True)
class Term:
    """One measure of what its selector selects; without a summary, its value over the whole window.

    `window` is its own part of the window, where another side of the claim has another.
    """

    measure: str  # as `measures.unit_of` knows it: "tps", "new_order.p95_ms", "status.Com_commit per s"
    selector: Selector = Selector()
    summary: Summary | None = None
    window: Window | None = None

    @property
    def unit(self) -> str:
        return "%" if self.summary is not None and self.summary.relative else unit_of(self.measure)

    def __str__(self) -> str:
        return f"{self.measure}{self.summary or ''}{self.selector}{f' {self.window}' if self.window else ''}"


def bare(level: Scalar) -> str:
    """Returns a level as a claim writes it, in quotes where it would be read as something else."""
    text = level_text(level)
    plain = _BARE_LEVEL.fullmatch(text) and text not in _WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)
