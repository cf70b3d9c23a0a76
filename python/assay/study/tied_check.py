"""Checks factors that vary several keys together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.study.file import FactorTable
from assay.study.models import COPY, short_name
from assay.study.problems import Problem
from assay.study.values import shown
from assay.wording import counted


def tied_problems(number: int, factor: FactorTable, names: Sequence[str]) -> Iterator[Problem]:
    """Yields problems with the keys and values of the `number`th factor, and its name beside all `names`."""
    here = ("factor", number)
    if factor.keys is None:
        if factor.values is not None:
            yield Problem(
                (*here, "values"), "needs keys, whose values they are; levels are the values of one key"
            )
        return
    if COPY in factor.keys:
        yield Problem((*here, "keys", factor.keys.index(COPY)), f'"{COPY}" cannot vary with other keys')
    same = [
        name
        for place, name in enumerate(names)
        if place != number and factor.name in (name, short_name(name))
    ]
    if same:
        yield Problem(
            (*here, "name"), f'"{factor.name}" is also what claims call "{same[0]}"; write another word'
        )
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
