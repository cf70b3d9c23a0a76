"""Names and levels of factors.

A factor is a key that may vary, or a name that only a server, a workload or an experiment knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from assay.design.study.claims import LADDERS
from assay.design.study.host_settings import why_gone
from assay.design.study.model.keys import KEYS
from assay.design.study.nearest import did_you_mean
from assay.design.study.values import COPY, Scalar, check_variable, check_variable_name, is_word, shown


def _any(level: Scalar) -> None:
    """Accepts any level: only the server or the workload knows its own, and both are asked before load is
    spent.
    """


def _check_copy(level: Scalar) -> None:
    if isinstance(level, bool) or not isinstance(level, int) or level < 1:
        raise ValueError(f"{shown(level)} is not the number of a copy; write whole numbers from 1")


FACTORS: dict[str, Callable[[Scalar], object]] = {
    COPY: _check_copy,
    "server.variables.*": _any,
    "server.dynamic.*": _any,
    "workload.*": _any,
    "experiment.*": _any,
    "imported.*": _any,
    **{name: key.check for name, key in KEYS.items() if key.factor},
}
"""By name (`*`: any word), the check of one level, which raises ValueError."""

_ELSEWHERE = {
    "load.threads": "the ladder cannot be a factor: every run climbs all of [load] threads",
    "load.rate": "the ladder cannot be a factor: every run climbs all of [load] rate",
    "load.iodepth": "the ladder cannot be a factor: every run climbs all of [load] iodepth; vary"
    " workload.iodepth",
    "load.terminals": "terminals cannot be a factor: every run has [load] terminals; write a study"
    " for each number",
}


OF_MACHINE = ("host.", "volume.")
"""The beginnings of names of settings of the machine."""


def recorded_factor_name(name: object) -> str:
    """Returns the name of a factor of a study in a results folder, where an earlier version may have known
    more settings of the machine. Raises ValueError for an unknown name of another kind.
    """
    if isinstance(name, str) and name.startswith(OF_MACHINE) and all(map(is_word, name.split("."))):
        return name
    return check_factor_name(name)


def check_factor_name(name: object) -> str:
    """Returns the name of a factor. Raises ValueError, which names the nearest one, for an unknown name."""
    if not isinstance(name, str):
        raise ValueError(f"{shown(name)} is not the name of a factor")
    if name in _ELSEWHERE:
        raise ValueError(f'"{name}": {_ELSEWHERE[name]}')
    prefix, _, word = name.rpartition(".")
    if name in FACTORS:
        return name
    if f"{prefix}.*" in FACTORS:
        if prefix in ("server.variables", "server.dynamic"):
            check_variable_name(word)
        elif not is_word(word):
            raise ValueError(f'"{word}" is not the name of an option; write it with underscores')
        return name
    known = [known.replace("*", word or "x") for known in FACTORS]
    if not prefix:
        raise ValueError(
            f'"{name}" needs a section; did you mean "server.variables.{name}" or "workload.{name}"?'
        )
    raise ValueError(f'"{name}" cannot be a factor{why_gone(name) or did_you_mean(name, known)}')


def check_tied_name(name: object) -> str:
    """Returns the name of a factor of several keys. Raises ValueError for one that is no word."""
    if not isinstance(name, str) or not is_word(name):
        raise ValueError(f"{shown(name)} is not a name for several keys; write one word, as in disk")
    if name in (*LADDERS, COPY):
        raise ValueError(f'"{name}" has a meaning of its own; write another word')
    return name


def check_level(factor: str, level: Scalar) -> None:
    """Raises ValueError when this factor cannot have this level."""
    prefix = factor.rpartition(".")[0]
    (FACTORS.get(factor) or FACTORS.get(f"{prefix}.*", _any))(level)


def recorded_settings(value: object) -> dict[str, dict[str, Scalar]]:
    """Returns what `check_settings` does, of a study in a results folder."""
    return check_settings(value, recorded_factor_name)


def check_settings(
    value: object, check_name: Callable[[object], str] = check_factor_name
) -> dict[str, dict[str, Scalar]]:
    """Returns the keys that each level of a factor sets. Raises ValueError for another form."""
    if not isinstance(value, dict) or not all(isinstance(table, dict) and table for table in value.values()):
        raise ValueError("is a table of tables, as in range-10 = { workload.range_size = 10 }")
    found: dict[str, dict[str, Scalar]] = {}
    for level, table in value.items():
        keys = list(_dotted(table))
        for key, _ in keys:
            check_name(key)
        if twice := next((key for key, count in Counter(key for key, _ in keys).items() if count > 1), None):
            raise ValueError(f'sets "{twice}" twice at {level}')
        found[level] = {key: check_variable(one) for key, one in keys}
    return found


def _dotted(table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _dotted(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
