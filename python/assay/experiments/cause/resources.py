"""Changes one resource of a treatment after another, and reads which of them bounds it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from assay.base.errors import AssayError
from assay.base.number_lists import number_list, parse_numbers
from assay.design.folder import ResultsFolder
from assay.design.study import Factor, Scalar, Study, derive, level_text, option_text, same_value
from assay.experiments.cause.follow_up import NONE, follow_up_of, values_by_levels
from assay.experiments.cause.pair import Side
from assay.experiments.lab import judged, results_folder
from assay.results.verdict import ResourceEffect, judge_resources
from assay.system.host import own_limits
from assay.system.server import PrivateDir

RESOURCE = "resource"
_MIB = 1 << 20


class _Set(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    to: Scalar | None = None
    plus: float | None = None


class _Resource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    set: _Set
    share: float | None = None
    needs: _Set | None = None
    otherwise: _Set | None = None


class _Resources(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    resource: tuple[_Resource, ...]


@dataclass(frozen=True)
class ChangedResource:
    """A resource with the value of its key before and after; `amount` is the share that is left, None for a
    cost. `needs` is set at all levels.
    """

    id: str
    key: str
    before: Scalar
    after: Scalar
    amount: float | None
    needs: Mapping[str, Scalar]

    @property
    def settings(self) -> str:
        return f"{self.key.rpartition('.')[2]} = {option_text(self.after)}"


@dataclass(frozen=True)
class FixedResource:
    """A resource that cannot be changed there, and why."""

    id: str
    why: str


@cache
def resource_ids() -> tuple[str, ...]:
    """Returns the names of all resources."""
    return tuple(one.id for one in _resources())


def _resources() -> tuple[_Resource, ...]:
    text = Path(__file__).with_name("resources.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Resources).resource


def changed_resources(
    side: Side, named: Sequence[str] = ()
) -> tuple[tuple[ChangedResource, ...], tuple[FixedResource, ...]]:
    """Returns the resources of a treatment that can be changed here, and those that cannot. `named`: the only
    ones to change.
    """
    found = [_changed(one, side) for one in _resources() if not named or one.id in named]
    return (
        tuple(one for one in found if isinstance(one, ChangedResource)),
        tuple(one for one in found if isinstance(one, FixedResource)),
    )


def _changed(one: _Resource, side: Side) -> ChangedResource | FixedResource:
    key = one.set.key
    if one.otherwise is not None and (_lacking(one.set) or side.value(one.otherwise.key) is not None):
        key = one.otherwise.key
    name = key.rpartition(".")[2]
    if side.planned.server_use.startswith("dsn:"):
        return FixedResource(one.id, "the server was there already: no setting of it is changed")
    if one.needs is not None and (why := _lacking(one.needs)):
        return FixedResource(one.id, why)
    before = side.value(key)
    if before is None and key == "server.cpus":
        before = number_list(own_limits().usable)
    if before is None and key in _UNSET:
        before = _UNSET[key]()
    if before is None:
        return FixedResource(one.id, f"the server has no {name}")
    if key == "server.cpus":
        processors = sorted(parse_numbers(str(before)))
        left = min(math.floor(len(processors) * (one.share or 1)), len(processors) - 1)
        if left < 1:
            return FixedResource(one.id, "the server has one processor")
        return _with(one, key, before, number_list(processors[:left]), left / len(processors))
    if key == "server.cpu_quota":
        return _with(one, key, before, round(float(before) * (one.share or 1), 2), one.share)
    if one.share is not None:
        if isinstance(before, bool) or not isinstance(before, int | float) or before <= 0:
            return FixedResource(one.id, f"{name} = {option_text(before)} is no amount")
        after = _granted(int(before * one.share), int(before), side)
        return _with(one, key, before, after, after / before)
    if one.set.plus is not None:
        return _with(one, key, before, round(float(before) + one.set.plus, 6), None)
    assert one.set.to is not None
    if same_value(one.set.to, option_text(before)):
        return FixedResource(one.id, f"{name} is {option_text(before)} already")
    return _with(one, key, before, one.set.to, None)


def _granted(bytes_: int, before: int, side: Side) -> int:
    """Returns the nearest smaller size that a server gives as it is: whole chunks of all instances of the
    pool where there are several, otherwise whole MiB.
    """
    sizes = [
        side.value(f"server.variables.innodb_buffer_pool_{name}") for name in ("chunk_size", "instances")
    ]
    chunk, instances = (one if isinstance(one, int) and one > 0 else 1 for one in sizes)
    unit = max(chunk * instances, _MIB)
    if before % unit or bytes_ < unit:
        unit = _MIB
    return bytes_ // unit * unit


def _with(one: _Resource, key: str, before: Scalar, after: Scalar, amount: float | None) -> ChangedResource:
    needs = {} if one.needs is None or one.needs.to is None else {one.needs.key: one.needs.to}
    return ChangedResource(one.id, key, before, after, amount, needs)


def _lacking(needs: _Set) -> str:
    """Returns why this machine cannot give what a resource needs, found by a trial; empty where it can."""
    try:
        with PrivateDir() as trial:
            if (needs.key, needs.to) == ("load.client", "netns"):
                trial.client_network(0.1)
            elif needs.key == "server.cpu_quota":
                trial.quota_group(_processors())
    except AssayError as error:
        return error.message
    return ""


def _processors() -> float:
    """Returns how many processors a server without a quota may use."""
    return float(len(own_limits().usable))


_UNSET: Mapping[str, Callable[[], Scalar]] = {
    "server.cpu_quota": _processors,
    "server.sync_delay_ms": lambda: 0.0,
}
"""What a server has of a key that nobody set."""


def study_of_resources(
    study: Study, side: Side, load: float, changed: Sequence[ChangedResource], blocks: int
) -> Study:
    """Returns the study of one treatment as it is, and with each resource changed."""
    needs: dict[str, Scalar] = {}
    for one in changed:
        needs |= one.needs
    before = {**{one.key: one.before for one in changed}, **needs}
    rows = {NONE: before, **{one.id: {**before, one.key: one.after} for one in changed}}
    factor = Factor(
        name=RESOURCE,
        levels=tuple(rows),
        keys=tuple(before),
        values=tuple(tuple(row.values()) for row in rows.values()),
    )
    made = derive.without_values(derive.at_levels(study, side.measured.levels), factor.keys)
    return follow_up_of(made, "bottleneck", [factor], load, blocks)


def effects_in(
    folder: ResultsFolder, changed: Sequence[ChangedResource], measure: str
) -> tuple[ResourceEffect, ...]:
    """Returns what each resource does, from the results of the study."""
    with judged(results_folder(folder.path)) as found:
        values = {dict(levels)[RESOURCE]: of for levels, of in values_by_levels(found, measure).items()}
        confidence = found.study.verdict.confidence
    amounts = {one.id: one.amount for one in changed}
    effects = {level_text(name): of for name, of in values.items() if name != NONE}
    return judge_resources(values.get(NONE, {}), effects, amounts, measure, confidence)
