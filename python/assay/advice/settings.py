"""Chooses settings of a server by the results of a study, and writes them as a fragment of my.cnf."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Literal

Outcome = Literal["take", "keep", "no-difference", "depends", "undecided"]
"""`take`: a level is better at some load point and worse at none. `keep`: every other level is worse at some
and better at none. `no-difference`: all are the same. `depends`: better at one and worse at another.
"""

_RISKS: Mapping[str, Callable[[str], str | None]] = {
    "innodb_flush_log_at_trx_commit": lambda value: {
        "0": "about a second of commits may be lost when the server dies",
        "2": "about a second of commits may be lost when the machine goes down",
    }.get(value),
    "sync_binlog": lambda value: (
        None if value == "1" else "the binary log may lack commits when the machine goes down"
    ),
    "innodb_doublewrite": lambda value: (
        "pages may be torn when the machine goes down" if _off(value) or value == "detect_only" else None
    ),
    "innodb_flush_method": lambda value: (
        "data may be lost when the machine goes down: files are not always synced"
        if value.lower() in ("nosync", "littlesync", "o_direct_no_fsync")
        else None
    ),
    "innodb_checksums": lambda value: "damaged pages are not noticed" if _off(value) else None,
    "innodb_checksum_algorithm": lambda value: (
        "damaged pages are not noticed" if value.lower() == "none" else None
    ),
    "log_bin": lambda value: "no recovery to a point in time, and no replicas" if _off(value) else None,
}
"""What the value of a setting puts at risk, by setting; None: nothing (MySQL reference manual, InnoDB and
binary log options).
"""


@dataclass(frozen=True)
class Effect:
    """One comparison of a level with the first level of its factor. `ratio` is level / first level."""

    measure: str
    at: str  # the load point, as people say it
    ratio: float
    low: float | None
    high: float | None
    word: str  # of a comparison: "better", "worse", "same", "more", "less", "undecided" …


@dataclass(frozen=True)
class TriedLevel:
    """A level of a factor: the settings that it makes, and its effects; the first level has none."""

    settings: Mapping[str, str]
    effects: tuple[Effect, ...] = ()

    @property
    def risks(self) -> tuple[str, ...]:
        """What its settings put at risk, in words."""
        found = (_RISKS[name](value) for name, value in self.settings.items() if name in _RISKS)
        return tuple(risk for risk in found if risk is not None)

    @property
    def words(self) -> frozenset[str]:
        """The words of all its effects."""
        return frozenset(effect.word for effect in self.effects)

    @property
    def first(self) -> tuple[Effect, ...]:
        """The effects on its first measure."""
        return tuple(one for one in self.effects if one.measure == self.effects[0].measure)

    @property
    def size(self) -> float:
        """The geometric mean of the ratios of its first measure; 1 where there are none."""
        logs = [log(one.ratio) for one in self.first]
        return exp(sum(logs) / len(logs)) if logs else 1.0

    def decided_as(self, word: str) -> bool:
        """Returns whether its first measure is `word` at some load point, and the same at all others."""
        found = {one.word for one in self.first}
        return word in found and found <= {word, "same"}

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.settings.items())


@dataclass(frozen=True)
class TriedFactor:
    """A factor of a study with its levels in the study's order, two or more."""

    name: str
    levels: tuple[TriedLevel, ...]


@dataclass(frozen=True)
class Choice:
    """The outcome for one factor.

    `level` is what the outcome is about: the level to take, the first level where it is to be kept, otherwise
    the level with the largest effect.
    """

    factor: str
    outcome: Outcome
    level: TriedLevel
    others: tuple[TriedLevel, ...]


def choose(factor: TriedFactor) -> Choice:
    """Returns the choice among the levels of a factor, by the words of its comparisons.

    The first measure decides (how much was done); of the others only *better* and *worse* count, for tails of
    latency often stay undecided. A level whose first measure is undecided somewhere is never taken.
    """
    first, *others = factor.levels
    good = [one for one in others if one.decided_as("better") and "worse" not in one.words]
    if good:
        return _choice(factor, "take", max(good, key=lambda one: one.size))
    if mixed := [one for one in others if {"better", "worse"} <= one.words]:
        return _choice(factor, "depends", mixed[0])
    if all(one.decided_as("worse") for one in others):
        return _choice(factor, "keep", first)
    if all(one.decided_as("same") and not one.words & {"better", "worse"} for one in others):
        return _choice(factor, "no-difference", first)
    return _choice(factor, "undecided", max(others, key=lambda one: abs(log(one.size))))


def fragment(section: str, head: Sequence[str], choices: Sequence[Choice]) -> str:
    """Returns a fragment of my.cnf.

    `section` is the group's name, `head` are comments that say which study and server. A level that risks
    data which the first level keeps is written as a comment. What made no difference, what depends on the
    load and what is undecided are comments, too.
    """
    lines = [*(f"# {one}" for one in head), f"[{section}]"]
    for one in choices:
        if one.outcome == "take":
            before = one.others[0].risks
            risks = [risk for risk in one.level.risks if risk not in before]
            lines += [f"# {_effects(one.level)}", *(f"# RISK: {risk}" for risk in one.level.risks)]
            if risks:
                lines.append("# not taken for you: it gives up durability that the baseline has")
            mark = "# " if risks else ""
            lines += [f"{mark}{name} = {value}" for name, value in one.level.settings.items()]
        elif one.outcome == "keep":
            worse = "; ".join(f"{other}: {_effects(other)}" for other in one.others)
            lines += [f"# better than {worse}", *(f"# RISK: {risk}" for risk in one.level.risks)]
            lines += [f"{name} = {value}" for name, value in one.level.settings.items()]
    for outcome, said in (
        ("no-difference", "Made no difference"),
        ("depends", "Better at some loads and worse at others"),
        ("undecided", "Undecided: more blocks are needed"),
    ):
        some = [one for one in choices if one.outcome == outcome]
        lines += ["", f"# {said}:"] if some else []
        for one in some:
            levels = (one.level, *one.others) if outcome == "no-difference" else (one.level,)
            lines += [f"#   {level}{_after(level)}" for level in levels]
    return "\n".join(lines) + "\n"


def _choice(factor: TriedFactor, outcome: Outcome, level: TriedLevel) -> Choice:
    return Choice(factor.name, outcome, level, tuple(one for one in factor.levels if one is not level))


def _after(level: TriedLevel) -> str:
    return f": {_effects(level)}" if level.effects else " (the baseline)"


def _effects(level: TriedLevel) -> str:
    return ", ".join(_said(level.effects))


def _said(effects: Sequence[Effect]) -> Iterator[str]:
    for one in effects:
        interval = "" if one.low is None or one.high is None else f" ({one.low:.3g} to {one.high:.3g})"
        yield f"{one.measure} ×{one.ratio:.3g}{interval} {one.at}"


def _off(value: str) -> bool:
    return value.lower() in ("off", "0", "false")
