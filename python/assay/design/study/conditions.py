"""Conditions of measurements, and what differs between two of them: whether results may be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from assay.base.wording import counted
from assay.design.study.difference import stated_differences
from assay.design.study.model.keys import short_name
from assay.design.study.model.study import Study
from assay.design.study.server_values import same_value
from assay.design.study.work import Work

_GIB = 1 << 30
NEAR = 0.05
"""The canary, a fixed piece of work, may cost so much more or less on one of two machines that count as
equal.
"""
SHOWN = (
    "processor", "kernel", "hostname", "server_flavour", "server_version", "server_sha256", "server_address",
    "dataset", "data", "workload", "imported", "assay", "engine", "processors", "memory", "time", "blocks",
)  # fmt: skip
"""The parts that a reader of two results wants to see; others count only for those who choose them."""

Effect = Literal["forbids", "studied", "said"]
Group = Literal["stated", "fact", "variable"]


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What a run, results, or a series of values was measured under. An empty part is one that nobody noted;
    of several runs a part joins all texts.

    `stated` is the study itself, and `study` a hash of what it fixes; `variables` are those in force on the
    server.
    """

    study: str = ""
    host: str = ""  # the class of the machine, by `host_class_of`
    configuration: str = ""  # levels by short names, without the build; "default" without any
    regime: str = ""  # buffer pool against data: "pool 1/4 of data"
    window_s: float | None = None
    load_kind: str = ""
    load: float | None = None
    server: str = ""  # "MariaDB 10.11.14"; empty for a load on files
    processor: str = ""
    kernel: str = ""
    hostname: str = ""
    server_flavour: str = ""
    server_version: str = ""
    server_sha256: str = ""
    server_address: str = ""
    dataset: str = ""  # another one for each server build
    data: str = ""  # of tables and files, the same for every build
    workload: str = ""
    imported: str = ""  # the tool that measured; empty: Assay
    assay: str = ""
    engine: str = ""
    processors: str = ""
    memory: str = ""
    time: str = ""
    blocks: str = ""
    canary_us: float | None = None  # processor time of the canary's fixed piece of work
    levels: tuple[tuple[str, str], ...] = field(default=(), compare=False)  # of the configuration, full names
    work: Work | None = field(default=None, compare=False)
    stated: Study | None = field(default=None, compare=False, repr=False)
    variables: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def facts(self) -> Mapping[str, str]:
        """The text of each part of `SHOWN`."""
        return {name: getattr(self, name) for name in SHOWN}

    @property
    def load_text(self) -> str:
        """The load in words: `64 threads`, `500/s`."""
        load = self.load or 0.0
        return f"{load:g}/s" if self.load_kind == "rate" else counted(int(load), "thread")

    def only(self, choice: Choice) -> Conditions:
        """Returns the parts that forbid comparing by a choice: equal for conditions between which nothing
        forbids it. The canary, which need not be equal, is left out.
        """
        kept = {name: getattr(self, name) for name in _PARTS if name in choice.forbids}
        kind = self.load_kind if "load" in choice.forbids else ""
        return Conditions(**kept, load_kind=kind, levels=self.levels)


@dataclass(frozen=True)
class Choice:
    """What matters to whoever compares: the parts that must be equal, and those that are studied; any other
    difference is only said. Of the parts `known`, two that nobody noted do not count as equal.
    """

    forbids: frozenset[str]
    studied: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()

    def effect(self, part: str) -> Effect:
        """Returns what a difference in a part does."""
        return "forbids" if part in self.forbids else "studied" if part in self.studied else "said"


EVERYTHING = Choice(frozenset())
"""The choice of who compares whatever differs, and says so."""


@dataclass(frozen=True)
class Unlikeness:
    """One thing that differs between two conditions: what their studies state, what their runs say of
    themselves, or a server variable in force; and what that does to a comparison.
    """

    group: Group
    name: str
    left: str
    right: str
    effect: Effect = "said"

    @property
    def part(self) -> str:
        """The part of the conditions that it is about: of `load.threads` the load."""
        return {"stated": self.name.partition(".")[0], "fact": self.name, "variable": "variables"}[self.group]


def unlikenesses(left: Conditions, right: Conditions, choice: Choice = EVERYTHING) -> tuple[Unlikeness, ...]:
    """Returns everything that differs: what the studies state, then facts, then the server variables that
    both have, in the left's order.
    """
    found = (Unlikeness(*row) for row in _differing(left, right, choice))
    return tuple(replace(one, effect=choice.effect(one.part)) for one in found)


def forbidding(left: Conditions, right: Conditions, choice: Choice) -> tuple[Unlikeness, ...]:
    """Returns what forbids comparing by a choice; nothing where results may be compared."""
    return tuple(one for one in unlikenesses(left, right, choice) if one.effect == "forbids")


def is_far(one: float | None, other: float | None) -> bool:
    """Returns whether two canaries are known, and too far apart for machines that count as equal."""
    return bool(one and other and abs(other / one - 1) > NEAR)


def host_class_of(processor: str | None, logical: int | str | None, memory_bytes: float | str | None) -> str:
    """Returns the name of the class of machines whose results vary alike: `16 x Xeon Gold 6130, 64 GiB`.

    `logical` is the number of processors online. What is unknown is named so, or left out.
    """
    size = f", {round(float(memory_bytes) / _GIB)} GiB" if memory_bytes else ""
    return f"{logical or '?'} x {processor or 'unknown processor'}{size}"


def configuration_text(study: Study, levels: Mapping[str, str]) -> str:
    """Returns levels, by full names of factors or keys, by short names in the study's order; `default`
    without any.
    """
    names = [name for one in study.factors for name in (one.name, *one.keys) if name in levels]
    return ", ".join(f"{short_name(name)}={levels[name]}" for name in names) or "default"


_PARTS = tuple(
    one.name for one in fields(Conditions) if one.compare and one.name not in ("canary_us", "load_kind")
)
_Row = tuple[Group, str, str, str]  # group, name, both texts


def _differing(left: Conditions, right: Conditions, choice: Choice) -> Iterator[_Row]:
    if left.work is not None and right.work is not None and not left.work.is_like(right.work):
        yield "fact", "work", str(left.work), str(right.work)
    if left.stated is not None and right.stated is not None:
        for name, one, other in stated_differences(left.stated, right.stated):
            yield "stated", name, one, other
    for part in _PARTS:
        if part in SHOWN or choice.effect(part) != "said":
            one, other = _texts(left, right, part, choice)
            if one != other or (not one and part in choice.known):
                yield "fact", part, one, other
    costs = ["" if one.canary_us is None else f"{one.canary_us:,.0f} µs" for one in (left, right)]
    is_unknown = costs[0] == costs[1] == "" and "canary" in choice.known
    if is_unknown or (costs[0] == "") != (costs[1] == "") or is_far(left.canary_us, right.canary_us):
        yield "fact", "canary", costs[0], costs[1]
    for name, value in left.variables.items():
        if name in right.variables and not same_value(value, right.variables[name]):
            yield "variable", name, value, right.variables[name]


def _texts(left: Conditions, right: Conditions, part: str, choice: Choice) -> tuple[str, str]:
    """Returns a part of both as texts. Where one has no data's id, as in older results, the ids of datasets
    decide.
    """
    if part == "data" and choice.effect(part) != "said" and not (left.data and right.data):
        return left.dataset or left.data, right.dataset or right.data
    return _text(left, part), _text(right, part)


def _text(conditions: Conditions, part: str) -> str:
    if part == "load":
        return "" if conditions.load is None else conditions.load_text
    value = getattr(conditions, part)
    return value if isinstance(value, str) else "" if value is None else f"{value:g}"
