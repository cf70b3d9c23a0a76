"""Replaces a study's factors by one level each, as keys of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

from assay.study.models import COPY, Factor
from assay.study.sections import KEYS
from assay.study.values import DEFAULT_PLACE, level_text


def fix_factors(
    raw: MutableMapping[str, Any], factors: Iterable[Factor], levels: Mapping[str, str] | None = None
) -> None:
    """Writes one level of each factor into the tables of a study file: that of `levels`, or its first.

    `levels`: levels as text by the full names of factors. The factors themselves stay in the file. A level
    that means "without this key" is left out, and so are copies, which change nothing.
    """
    for factor in factors:
        wanted = (levels or {}).get(factor.name)
        level = next((one for one in factor.levels if level_text(one) == wanted), factor.levels[0])
        if factor.name == COPY or (factor.name in KEYS and level == DEFAULT_PLACE):
            continue
        *tables, key = factor.name.split(".")
        table = raw
        for name in tables:
            table = table.setdefault(name, {})
        table[key] = level
