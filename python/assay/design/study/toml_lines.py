"""Finds the line of a key in a TOML file, by a search, since tomllib keeps no positions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.design.study.former_names import new_path

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_\-\".]+?)\s*=")

Keys = tuple[str | int, ...]
"""The path of a key, as in `("factor", 0, "levels")`."""


def written_at(keys: Keys, places: Mapping[Keys, Keys]) -> Keys:
    """Returns the path at which a key is written: its own, or the one that `places` has for it or for the
    deepest table around it.
    """
    for length in range(len(keys), 0, -1):
        if keys[:length] in places:
            return (*places[keys[:length]], *keys[length:])
    return keys


def line_of(text: str, keys: Keys) -> int | None:
    """Returns the line, from 1, of a key path such as ("factor", 0, "levels"): that of its deepest part with
    a line.

    None rather than a guess when the key stands on two lines. A dotted key of a scale, as in
    ("scale", "small", "load.threads"), is found however its tables are written.
    """
    lines = _lines(text)
    path = _split(keys) if keys[:1] == ("scale",) else list(keys)
    while path:
        found = lines.get(tuple(path)) or lines.get((*path, 0), [])
        if found:
            return found[0] if len(found) == 1 else None
        path.pop()
    return None


def _split(keys: Keys) -> list[str | int]:
    parts = [part.split(".") if isinstance(part, str) else [part] for part in keys]
    return [each for part in parts for each in part]


def _lines(text: str) -> dict[Keys, list[int]]:
    lines: dict[Keys, list[int]] = {}
    table: Keys = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            name = header[2].replace('"', "")
            table = tuple(part.strip() for part in name.split("."))
            if header[1] == "[[":
                table = (*table, counts.get(name, 0))
                counts[name] = counts.get(name, 0) + 1
            lines.setdefault(new_path(table), []).append(number)
        elif key := _KEY.match(line):
            path = (*table, *(part.strip(' "') for part in key[1].split(".")))
            lines.setdefault(new_path(path), []).append(number)
    return lines
