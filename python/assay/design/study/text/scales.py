"""Applies scales of a study: `[scale.small]` holds other values for keys of the file, as dotted text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.design.study.checks.problems import Problem, keys_of_table
from assay.design.study.former_names import FORMER_PATHS
from assay.design.study.model.file import StudyFile
from assay.design.study.model.keys import short_name
from assay.design.study.nearest import did_you_mean, nearest
from assay.design.study.text.override import REMOVED, Changes
from assay.design.study.toml_lines import Keys

_LISTS = {"factor": "name", "hypothesis": "id", "gate": "id"}
"""Lists of tables -> the key that names one of them, which no scale changes."""
_TABLES = frozenset(StudyFile.model_fields) - {"scale", "schema_"} | {"schema"}
_INNER = frozenset({"server.variables", "server.dynamic"})
_NESTED = frozenset({"host", "volume"})
_FIXED = frozenset({"study.name", "study.scale"})


@dataclass(frozen=True)
class AppliedScale:
    """The changes that a scale makes. `places`: by the path of a changed key, its path in the scale."""

    name: str | None = None  # None: no scale counts
    changes: Changes = field(default_factory=dict)
    places: Mapping[Keys, Keys] = field(default_factory=dict)


def scales_in(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the names of the scales in the tables of a study file."""
    found = raw.get("scale")
    return tuple(found) if isinstance(found, dict) else ()


def scale_to_apply(raw: Mapping[str, Any], asked: str | None) -> str | None:
    """Returns the name of the scale to apply: the one asked for, or the file's default.

    Raises ValueError for an unknown one.
    """
    head = raw.get("study")
    default = head.get("scale") if isinstance(head, dict) else None
    name = default if asked is None else asked
    if not isinstance(name, str):  # a default of a wrong type has a complaint of its own
        return None
    known = scales_in(raw)
    if not known:
        raise ValueError(f'has no scale "{name}": it has no scales')
    if name not in known:
        raise ValueError(f'has no scale "{name}"{did_you_mean(name, known)}')
    return name


def apply_scale(raw: Mapping[str, Any], name: str) -> tuple[AppliedScale, list[Problem]]:
    """Returns the changes that a scale makes to a study, and problems with keys that no study has.

    The changes leave only the name and `about` of this scale, so that the changed text reads as the same
    study.
    """
    table = raw["scale"][name]
    if not isinstance(table, dict):
        return AppliedScale(name), []  # it has a complaint of its own
    changes: dict[Keys, Any] = {}
    places: dict[Keys, Keys] = {}
    problems = []
    for dotted, value in _flat({key: value for key, value in table.items() if key != "about"}):
        place = ("scale", name, dotted)
        try:
            path = _path(raw, dotted)
            if path in changes:
                raise ValueError("is set twice in this scale")
        except ValueError as error:
            problems.append(Problem(place, str(error)))
            continue
        changes[path], places[path] = value, place
    about = {key: value for key, value in table.items() if key == "about"}
    gone: dict[Keys, Any] = dict.fromkeys(FORMER_PATHS, REMOVED)
    kept: dict[Keys, Any] = {("study", "scale"): name, ("scale",): {name: about}}
    return AppliedScale(name, {**changes, **gone, **kept}, places), problems


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yields dotted keys with their values; a table of the file is taken key by key."""
    for key, value in table.items():
        full = f"{above}{key}"
        if isinstance(value, dict) and _is_table(full):
            yield from _flat(value, f"{full}.")
        else:
            yield full, value


def _is_table(full: str) -> bool:
    first = full.partition(".")[0]
    return full in _TABLES or full in _INNER or first in _NESTED or first in _LISTS


def _path(raw: Mapping[str, Any], dotted: str) -> Keys:
    """Returns the path of a key in the file. Raises ValueError, which names the nearest key."""
    table, _, key = dotted.partition(".")
    if table in _LISTS:
        return _path_in_list(raw, table, key)
    if table not in _TABLES or not key:
        raise ValueError(f"is no key of a study{_near(raw, dotted)}")
    if dotted in _FIXED:
        raise ValueError("is the same in every scale")
    section, _, inner = key.partition(".")
    if f"{table}.{section}" in _INNER and inner:
        return (table, section, inner)
    written = raw.get(table)
    if table in _NESTED and inner and not (isinstance(written, dict) and key in written):
        return (table, section, inner)
    return (table, key)


def _path_in_list(raw: Mapping[str, Any], table: str, rest: str) -> Keys:
    """Returns the path of a key of a factor, by its name or short name, or of a hypothesis or a gate, by its
    id.
    """
    name, _, key = rest.rpartition(".")
    names = dict(_named(raw, table))
    if not name:
        raise ValueError(f'is no key of a {table}; write it as in "{table}.{_example(table, names)}"')
    if key == _LISTS[table]:
        raise ValueError("is the same in every scale")
    found = [number for number, one in names.items() if one == name]
    if not found and table == "factor":
        found = [number for number, one in names.items() if short_name(one) == name]
    if len(found) > 1:
        could = " or ".join(f'"{names[number]}"' for number in found)
        raise ValueError(f'"{name}" could be the {table} {could}')
    if not found:
        called = "factor is called" if table == "factor" else f"{table} has the id"
        raise ValueError(f'no {called} "{name}"{did_you_mean(name, names.values())}')
    return (table, found[0], key)


def _named(raw: Mapping[str, Any], table: str) -> Iterator[tuple[int, str]]:
    listed = raw.get(table)
    for number, one in enumerate(listed if isinstance(listed, list) else []):
        name = one.get(_LISTS[table]) if isinstance(one, dict) else None
        if isinstance(name, str):
            yield number, name


def _example(table: str, names: Mapping[int, str]) -> str:
    return f"{next(iter(names.values()), 'NAME')}.{'levels' if table == 'factor' else 'claim'}"


def _near(raw: Mapping[str, Any], dotted: str) -> str:
    known = [f"{table}.{key}" for table in sorted(_TABLES) for key in keys_of_table(table)]
    known += [f"{table}.{name}" for table in _LISTS for _, name in _named(raw, table)]
    close = nearest(dotted, known)
    return f'; did you mean "{close}"?' if close else '; write it with its table, as in "load.threads"'
