"""Finds the line of a key in a TOML file, by a search, since tomllib keeps no positions."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_\-\".]+?)\s*=")


def line_of(text: str, keys: tuple[str | int, ...]) -> int | None:
    """Returns the line, from 1, of a key path such as ("factor", 0, "levels"): that of its deepest part with
    a line.

    None rather than a guess when the key stands on two lines.
    """
    lines = _lines(text)
    path = list(keys)
    while path:
        found = lines.get(tuple(path)) or lines.get((*path, 0), [])
        if found:
            return found[0] if len(found) == 1 else None
        path.pop()
    return None


def _lines(text: str) -> dict[tuple[str | int, ...], list[int]]:
    lines: dict[tuple[str | int, ...], list[int]] = {}
    table: tuple[str | int, ...] = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            name = header[2].replace('"', "")
            table = tuple(part.strip() for part in name.split("."))
            if header[1] == "[[":
                table = (*table, counts.get(name, 0))
                counts[name] = counts.get(name, 0) + 1
            lines.setdefault(table, []).append(number)
        elif key := _KEY.match(line):
            path = (*table, *(part.strip(' "') for part in key[1].split(".")))
            lines.setdefault(path, []).append(number)
    return lines
