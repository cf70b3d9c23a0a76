"""Concludes the settings of a server from what one or several studies found of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from assay.design.study import RULED_FLAVOURS, same_value
from assay.results.advice.durability import WITHHELD, Durability, durability
from assay.results.advice.settings import Choice

Conclusion = Literal[
    "set", "risky", "withheld", "conflict", "no-difference", "depends", "worth-a-study", "undecided"
]
"""`set`: the setting is advised. `risky`: it is better, but not as durable as the server can be. `withheld`:
it is better, but what else it changes is not known, or not for a measurement of speed to weigh. `conflict`:
studies advise different values, or one found the value worse that another advises. The rest are the outcomes
of a choice.
"""


@dataclass(frozen=True)
class Source:
    """A study that settings come from.

    `conditions` are what its findings hold for, as text: host, workload, data, variables. Studies with
    different conditions may find different things.
    """

    study: str
    blocks: int
    conditions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """What one study found of one factor."""

    source: Source
    choice: Choice

    @property
    def advises(self) -> Mapping[str, str]:
        """The settings that it advises; none where no level is better than the others."""
        return self.choice.level.settings if self.choice.outcome in ("take", "keep") else {}

    def tried(self, settings: Mapping[str, str]) -> bool:
        """Returns whether one of its levels has these values."""
        return any(_agrees(one.settings, settings) for one in self.choice.levels)

    def found_worse(self, settings: Mapping[str, str]) -> bool:
        """Returns whether a level with these values is worse than the first level somewhere."""
        levels = self.choice.levels
        return any("worse" in one.words for one in levels if _agrees(one.settings, settings))

    def prevails_over(self, other: Finding) -> bool:
        """Returns whether it advises another value than a study that did not try this value, and tried the
        value of that study.
        """
        return (
            _differ(self.advises, other.advises)
            and self.tried(other.advises)
            and not other.tried(self.advises)
        )


@dataclass(frozen=True)
class SettingConclusion:
    """What follows for one setting, or for several that a study sets together, from all findings about it.

    `settings` are the advised values; of a conflict, and where nothing is advised, there are none.
    """

    conclusion: Conclusion
    settings: Mapping[str, str]
    findings: tuple[Finding, ...]
    known: bool = True  # whether the server means by its variables what the manuals of MySQL and MariaDB say

    @property
    def durability(self) -> tuple[Durability, ...]:
        """The durability classes of the advised settings."""
        return durability(self.settings) if self.known else ("not-known",)


@dataclass(frozen=True)
class ServerAdvice:
    """All findings about the settings of one server.

    `names_known`: the settings have the names of the server; otherwise those of the study.
    """

    flavour: str
    version: str
    findings: tuple[Finding, ...]
    names_known: bool = True

    @property
    def section(self) -> str:
        """The group of an options file that this server alone reads."""
        return "mariadb" if self.flavour == "mariadb" else "mysqld"

    @property
    def sources(self) -> tuple[Source, ...]:
        """The studies, in the order of the findings."""
        return tuple(
            one.source
            for place, one in enumerate(self.findings)
            if all(one.source is not other.source for other in self.findings[:place])
        )

    @property
    def is_judged(self) -> bool:
        """Whether some comparison had enough blocks for a word."""
        return any(one.choice.is_judged for one in self.findings)

    @property
    def differing(self) -> dict[str, list[tuple[Source, str]]]:
        """The conditions that are not equal in all studies, with the value of each study."""
        sources = self.sources
        names = dict.fromkeys(name for one in sources for name in one.conditions)
        found = {name: [(one, one.conditions.get(name, "")) for one in sources] for name in names}
        return {name: each for name, each in found.items() if len({text for _, text in each}) > 1}

    def conclusions(self) -> tuple[SettingConclusion, ...]:
        """Returns a conclusion for each set of findings that have a setting in common."""
        found = (
            SettingConclusion(*_concluded(some), tuple(some), self.flavour in RULED_FLAVOURS)
            for some in _related(self.findings)
        )
        return tuple(
            one
            if one.known or one.conclusion not in ("set", "risky")
            else replace(one, conclusion="withheld")
            for one in found
        )


def combined(advice: Iterable[ServerAdvice]) -> tuple[ServerAdvice, ...]:
    """Returns one advice for each flavour and version, with the findings of all studies."""
    found: dict[tuple[str, str], list[ServerAdvice]] = {}
    for one in advice:
        found.setdefault((one.flavour, one.version), []).append(one)
    return tuple(
        some[0]
        if len(some) == 1
        else ServerAdvice(
            *server,
            tuple(finding for one in some for finding in one.findings),
            names_known=all(one.names_known for one in some),
        )
        for server, some in found.items()
    )


def _concluded(findings: Sequence[Finding]) -> tuple[Conclusion, Mapping[str, str]]:
    advising = [one for one in findings if one.advises]
    if not advising:
        outcomes = {one.choice.outcome for one in findings}
        for outcome in ("depends", "worth-a-study"):
            if outcome in outcomes:
                return outcome, {}
        return "no-difference" if outcomes == {"no-difference"} else "undecided", {}
    last = [one for one in advising if not any(other.prevails_over(one) for other in advising)]
    settings = dict(chain.from_iterable(one.advises.items() for one in last))
    differ = any(_differ(one.advises, settings) for one in last)
    if differ or not last or any(one.found_worse(settings) for one in findings):
        return "conflict", {}
    classes = set(durability(settings))
    if classes & WITHHELD:
        return "withheld", settings
    return "risky" if classes - {"unaffected", "full"} else "set", settings


def _related(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Yields groups of findings such that findings with a setting in common are in one group."""
    groups: list[tuple[set[str], list[Finding]]] = []
    for one in findings:
        names, some = {name for level in one.choice.levels for name in level.settings}, [one]
        for group in [group for group in groups if group[0] & names]:
            groups.remove(group)
            names, some = names | group[0], [*group[1], *some]
        groups.append((names, some))
    yield from (some for _, some in groups)


def _agrees(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Returns whether settings have names in common, and the same values for all of these."""
    return bool(one.keys() & other.keys()) and not _differ(one, other)


def _differ(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Returns whether settings have a name in common with different values."""
    return any(not _same(one[name], other[name]) for name in one.keys() & other.keys())


def _same(one: str, other: str) -> bool:
    """Returns whether two texts are one value: `16M` is 16777216, `ON` is 1, and `utf8` is utf8mb3."""
    return same_value(one, other) or same_value(other, one)
