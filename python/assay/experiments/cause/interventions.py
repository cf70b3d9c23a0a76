"""Makes interventions of rules: the values that keys of the study get on both treatments of a pair, or why a
rule cannot be applied there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.base.number_lists import number_list, parse_numbers
from assay.design.study import Scalar, option_text, same_value
from assay.experiments.cause.evidence import Evidence
from assay.experiments.cause.pair import Pair
from assay.experiments.cause.rules import Rule, Setting, rules
from assay.system.host import own_limits

_POOL = "server.variables.innodb_buffer_pool_size"


@dataclass(frozen=True)
class Intervention:
    """A change that both treatments get alike. `before` and `after` have the value of each key; `because` is
    the evidence that suggests it, the strongest first.
    """

    id: str
    before: Mapping[str, Scalar]
    after: Mapping[str, Scalar]
    because: tuple[Evidence, ...] = ()

    @property
    def settings(self) -> str:
        """The change in the study's words: `innodb_flush_log_at_trx_commit = 2`."""
        return ", ".join(
            f"{key.rpartition('.')[2]} = {option_text(value)}" for key, value in self.after.items()
        )


@dataclass(frozen=True)
class Unfit:
    """A rule that evidence suggests and that cannot be applied to a pair, with the reason."""

    id: str
    why: str
    because: tuple[Evidence, ...] = ()


Candidate = Intervention | Unfit


def candidates(
    pair: Pair, seen: Sequence[Evidence], named: Sequence[str] = ()
) -> tuple[tuple[Intervention, ...], tuple[Unfit, ...]]:
    """Returns the interventions that evidence suggests, the best supported first, and those that cannot be
    made. `named`: the rules to take in place of those that evidence suggests.
    """
    ranked: list[tuple[tuple[bool, float], Candidate]] = []
    for rule in rules():
        because = tuple(one for one in seen if _suggests(one, rule))
        if rule.id in named or (not named and because):
            certain = any(one.is_certain for one in because)
            weight = max((one.weight for one in because if one.is_certain or not certain), default=0.0)
            ranked.append(((not certain, -weight), _applied(rule, pair, because)))
    if named:
        ranked.sort(key=lambda one: named.index(one[1].id))
    else:
        ranked.sort(key=lambda one: one[0])
    made = [one for _, one in ranked]
    return (
        tuple(one for one in made if isinstance(one, Intervention)),
        tuple(one for one in made if isinstance(one, Unfit)),
    )


def _suggests(one: Evidence, rule: Rule) -> bool:
    if one.source == "ledger":
        return rule.matches_line(one.group, one.line)
    return one.source == "counter" and rule.matches_measure(one.group)


def _applied(rule: Rule, pair: Pair, because: tuple[Evidence, ...]) -> Candidate:
    before: dict[str, Scalar] = {}
    after: dict[str, Scalar] = {}
    for setting in rule.set:
        key, value, now, why = _one(setting, pair)
        if why is None and key is not None and value is not None and now is not None:
            before[key], after[key] = now, value
        elif why is not None and not setting.if_there:
            return Unfit(rule.id, why, because)
    if not after:
        return Unfit(rule.id, "nothing of it would change", because)
    return Intervention(rule.id, before, after, because)


def _one(setting: Setting, pair: Pair) -> tuple[str | None, Scalar | None, Scalar | None, str | None]:
    """Returns the key of a setting with its value after and before, or why it cannot be set."""
    for key in setting.keys:
        name = key.rpartition(".")[2]
        sides = [_in_force(pair, key, side) for side in (0, 1)]
        if None in sides:
            continue
        if key in pair.differs_in:
            return key, None, None, f"the treatments differ in {name} themselves"
        one, other = sides
        assert one is not None
        assert other is not None
        if not same_value(one, option_text(other)):
            return key, None, None, f"the servers have different values of {name}"
        value = _changed(setting, one)
        if value is None:
            return key, None, None, f"{name} = {option_text(one)} cannot be changed so"
        if same_value(value, option_text(one)):
            return key, None, None, f"{name} is {option_text(one)} already"
        if key == _POOL and isinstance(value, int) and value > (room := own_limits().memory_bytes * 3 // 4):
            return key, None, None, f"{name} = {value} is more than three quarters of the memory ({room})"
        return key, value, one, None
    return (
        None,
        None,
        None,
        f"no such setting there: {', '.join(key.rpartition('.')[2] for key in setting.keys)}",
    )


def _in_force(pair: Pair, key: str, side: int) -> Scalar | None:
    of = (pair.first, pair.second)[side]
    if of.planned.server_use.startswith("dsn:") and not key.startswith("load."):
        return None
    value = of.value(key)
    if value is None and key == "server.cpus":
        return number_list(own_limits().usable)
    if value is None and key == "server.allocator":
        return "libc"
    return value


def _changed(setting: Setting, now: Scalar) -> Scalar | None:
    if setting.first_half:
        processors = sorted(parse_numbers(str(now)))
        return number_list(processors[: len(processors) // 2]) if len(processors) > 1 else None
    if setting.times is not None:
        if isinstance(now, bool) or not isinstance(now, int | float) or now <= 0:
            return None
        return int(now * setting.times)
    return setting.to
