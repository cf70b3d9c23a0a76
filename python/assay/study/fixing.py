"""Replaces a study's factors by one level each, as keys of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

from assay.study.models import Factor
from assay.study.sections import KEYS
from assay.study.values import COPY, DEFAULT_PLACE, Scalar, level_text


def fix_factors(
    raw: MutableMapping[str, Any], factors: Iterable[Factor], levels: Mapping[str, str] | None = None
) -> None:
    """Writes one level of each factor into the tables of a study file: that of `levels`, or its first.

    `levels`: levels as text by the full names of factors. The factors themselves stay in the file. A level
    that means "without this key" is left out, and so are copies, which change nothing.
    """
    for factor in factors:
        if factor.name == COPY:
            continue
        for full, value in factor.settings(_wanted(factor, levels or {})).items():
            *tables, key = full.split(".")
            table = raw
            for name in tables:
                table = table.setdefault(name, {})
            if value == DEFAULT_PLACE and (full in KEYS or tables == ["workload"]):
                table.pop(key, None)
            else:
                table[key] = value


def _wanted(factor: Factor, levels: Mapping[str, str]) -> Scalar:
    """Returns the level that `levels` names, itself or by the values of the factor's keys; else the first."""
    for level in factor.levels:
        settings = {factor.name: level, **factor.settings(level)}
        named = [level_text(value) == levels[name] for name, value in settings.items() if name in levels]
        if named and all(named):
            return level
    return factor.levels[0]
