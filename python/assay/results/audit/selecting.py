"""Finds the levels and load points that a phrase such as "8 CPU, more than 128 threads" selects."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache

from assay.results.audit.model import Cell, Material
from assay.results.audit.reading.words import in_english

Wanted = Mapping[str, frozenset[str]]
Rungs = Callable[[float], bool]

_LOAD = r"(?:threads?|users|connections|clients)"
_COMMON = {"on", "off", "yes", "no", "all"}
_VERSION = re.compile(r"(?<![\w.])(\d+\.\d+)(?:\.\d+)?")


def vocabulary(material: Material, study: str) -> dict[str, set[str]]:
    """Returns the levels of each factor in the tables of a study, and in those of no named study."""
    found: dict[str, set[str]] = defaultdict(set)
    for cell in material.cells:
        if cell.study in ("", study):
            for name, level in cell.levels:
                found[name].add(level)
    return found


def wanted(known: Mapping[str, set[str]], text: str) -> dict[str, frozenset[str]]:
    """Returns the levels that a phrase names, by factor. A bare number counts only beside the factor's
    name.
    """
    words = text.lower()
    found: dict[str, set[str]] = defaultdict(set)
    for name, levels in known.items():
        for level in levels:
            if _named(name.lower(), level.lower(), words):
                found[name].add(level)
    return {name: frozenset(levels) for name, levels in found.items()}


@lru_cache(maxsize=100_000)
def _named(name: str, level: str, text: str) -> bool:
    if level in ("yes", "no"):
        negated = re.search(rf"(?<![a-z])(un|no |not ){re.escape(name)}", text) is not None
        return negated if level == "no" else not negated and _word(name, text)
    if level not in _COMMON and not re.fullmatch(r"[\d.]+", level):
        version = _VERSION.search(level)
        return (
            _word(level, text)
            or _word(level.replace("_", " "), text)
            or (version is not None and " " in level and _word(version[1], text))
        )
    beside = re.findall(rf"([a-z_]+)[\s=({{]*{re.escape(level)}(?![\w.%])", text)
    beside += re.findall(rf"(?<![\w.]){re.escape(level)}[\s-]*([a-z_]+)", text)
    own = [part.rstrip("s") for part in name.split("_")]
    return any(_parts(token) and all(part in own for part in _parts(token)) for token in beside)


def _parts(token: str) -> list[str]:
    return [part.rstrip("s") for part in token.split("_") if part]


def _word(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w+%.\-]){re.escape(word)}(?![\w+%.])", text) is not None


def rungs_of(text: str) -> Rungs | None:
    """Returns the load points that a phrase selects; None where it names none."""
    words = in_english(text)
    if re.search(r"(every|any|all)\s+thread|all three tables", words):
        return lambda rung: True
    patterns: tuple[tuple[str, Callable[[float, float], bool]], ...] = (
        (r"threads?\s*<=\s*(\d+)|up to (\d+) threads", lambda rung, n: rung <= n),
        (r"threads?\s*>=\s*(\d+)|from (\d+) threads", lambda rung, n: rung >= n),
        (r"threads?\s*<\s*(\d+)|(?:fewer|less) than (\d+)", lambda rung, n: rung < n),
        (r"threads?\s*>\s*(\d+)|more than (\d+)", lambda rung, n: rung > n),
        (rf"threads?\s*=\s*(\d+)|at (\d+) {_LOAD}|(?<![\w.])(\d+) {_LOAD}", lambda rung, n: rung == n),
    )
    for pattern, holds in patterns:
        if found := re.search(pattern, words):
            limit = float(next(one for one in found.groups() if one))
            return lambda rung, holds=holds, limit=limit: holds(rung, limit)  # type: ignore[misc]
    return None


def fits(cell: Cell, levels: Wanted) -> bool:
    """Returns whether a cell has one of the wanted levels of every factor named."""
    own = dict(cell.levels)
    return all(own.get(name) in allowed for name, allowed in levels.items())
