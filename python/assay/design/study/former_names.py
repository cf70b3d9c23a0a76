"""The former name of a scale, `profile`: texts of studies and campaigns that have it are read as before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FORMER_SCALE = "profile"
_SCALE = "scale"
FORMER_PATHS = ((FORMER_SCALE,), ("study", FORMER_SCALE))
"""The paths of a study's keys that had the former name."""


def with_new_names(raw: dict[str, Any]) -> dict[str, Any]:
    """Returns the tables of a study or a campaign, with the new name in place of the former one.

    Raises ValueError where a table has both.
    """
    for table in _tables_that_name_scales(raw):
        if FORMER_SCALE in table:
            if _SCALE in table:
                raise ValueError(f'"{FORMER_SCALE}" is the former name of "{_SCALE}": write "{_SCALE}" alone')
            table[_SCALE] = table.pop(FORMER_SCALE)
    return raw


def new_path(keys: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Returns the path that a key of a text has under the new name."""
    if keys[:1] == (FORMER_SCALE,):
        return (_SCALE, *keys[1:])
    if keys[:1] == ("study",) and keys[-1] == FORMER_SCALE:
        return (*keys[:-1], _SCALE)
    return keys


def _tables_that_name_scales(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield raw
    listed = raw.get("study")
    for table in listed if isinstance(listed, list) else [listed]:
        if isinstance(table, dict):
            yield table
