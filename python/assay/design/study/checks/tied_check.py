"""Checks factors that vary several keys together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.base.wording import counted
from assay.design.study.checks.problems import Problem
from assay.design.study.model.factor import FactorTable
from assay.design.study.model.keys import WORKLOAD, short_name
from assay.design.study.toml_lines import Keys
from assay.design.study.values import COPY, shown

_OPTIONAL = ("workload.", "server.variables.", "server.dynamic.")
"""Beginnings of keys that a level of a factor with settings may leave out."""


def tied_problems(number: int, factor: FactorTable, names: Sequence[str]) -> Iterator[Problem]:
    """Yields problems with the keys and values of the `number`th factor, and its name beside all `names`."""
    here = ("factor", number)
    if factor.settings is not None:
        yield from _setting_problems(here, factor)
        yield from _name_problems(here, factor, names)
        return
    if factor.keys is None:
        if factor.values is not None:
            yield Problem(
                (*here, "values"), "needs keys, whose values they are; levels are the values of one key"
            )
        return
    if COPY in factor.keys:
        yield Problem((*here, "keys", factor.keys.index(COPY)), f'"{COPY}" cannot vary with other keys')
    yield from _name_problems(here, factor, names)
    if factor.values is None:
        yield Problem(here, "has keys and needs values: a row for each level, a value for each key")
        return
    levels, rows = len(factor.levels), len(factor.values)
    if rows != levels:
        yield Problem(
            (*here, "values"),
            f"has {counted(rows, 'row')}, but there are {counted(levels, 'level')}: write one for each",
        )
    for place, row in enumerate(factor.values):
        if len(row) != len(factor.keys):
            yield Problem(
                (*here, "values", place),
                f"{shown(row)} has {counted(len(row), 'value')}, but there are {len(factor.keys)} keys:"
                " write one for each",
            )


def _name_problems(here: Keys, factor: FactorTable, names: Sequence[str]) -> Iterator[Problem]:
    same = [
        name
        for place, name in enumerate(names)
        if place != here[1] and factor.name in (name, short_name(name))
    ]
    if same:
        yield Problem(
            (*here, "name"), f'"{factor.name}" is also what claims call "{same[0]}"; write another word'
        )


def _setting_problems(here: Keys, factor: FactorTable) -> Iterator[Problem]:
    for key in ("keys", "values"):
        if getattr(factor, key) is not None:
            yield Problem((*here, key), "cannot be combined with settings, whose tables have their own keys")
    tables = factor.settings or {}
    for place, level in enumerate(factor.levels):
        if level not in tables:
            yield Problem((*here, "levels", place), f"settings has no table {shown(level)}")
    for level, table in tables.items():
        if COPY in table:
            yield Problem((*here, "settings", level), f'"{COPY}" cannot vary with other keys')
    for key, values in factor.of_levels().items():
        left_out = [str(level) for level, value in zip(factor.levels, values, strict=True) if value is None]
        if left_out and (key == WORKLOAD or not key.startswith(_OPTIONAL)):
            yield Problem(
                (*here, "settings", left_out[0]),
                f"needs {key}, which another level sets: a level may leave out only options of the workload"
                " and server variables",
            )
