"""Statements CREATE TABLE without what says more of the source than how its tables are made."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | `(?:[^`]|``)*` | \w+ | \s+ | .""", re.S | re.X
)
_WITH_TEXT = ("COMMENT", "CONNECTION", "PASSWORD")
_WITH_PATH = ("DATA", "INDEX")


def plain_create(create: str) -> tuple[str, bool]:
    """Returns a statement CREATE TABLE without comments, connections, paths, the next AUTO_INCREMENT and
    CHECK conditions; and whether there were such conditions, which generated values do not know.

    A condition that is of JSON alone stays: it says that a column is JSON.
    """
    tokens = _TOKEN.findall(create)
    kept: list[str] = []
    at, depth, checks = 0, 0, False
    while at < len(tokens):
        token = tokens[at]
        word = token.upper()
        depth += (token == "(") - (token == ")")
        after = _value_after(tokens, at)
        if word in _WITH_TEXT and after is not None and tokens[after][0] in "'\"":
            at = after + 1
            _trim(kept)
            continue
        if word == "AUTO_INCREMENT" and depth == 0 and after is not None and tokens[after].isdigit():
            at = after + 1
            _trim(kept)
            continue
        if word in _WITH_PATH and _solid(tokens, at + 1, "DIRECTORY") is not None:
            path = _value_after(tokens, _solid(tokens, at + 1, "DIRECTORY") or at)
            if path is not None:
                at = path + 1
                _trim(kept)
                continue
        end = _closing(tokens, at + 1) if word == "CHECK" else None
        if end is not None and "json_valid" not in "".join(tokens[at:end]).lower():
            checks = True
            at = end
            _drop_constraint(kept)
            continue
        kept.append(token)
        at += 1
    return "".join(kept).strip(), checks


def _solid(tokens: Sequence[str], at: int, word: str) -> int | None:
    """Returns the place of a word that follows, spaces aside."""
    while at < len(tokens) and tokens[at].isspace():
        at += 1
    return at if at < len(tokens) and tokens[at].upper() == word else None


def _value_after(tokens: Sequence[str], at: int) -> int | None:
    """Returns the place of the value after an option, with or without `=`."""
    at += 1
    while at < len(tokens) and (tokens[at].isspace() or tokens[at] == "="):
        at += 1
    return at if at < len(tokens) else None


def _closing(tokens: Sequence[str], at: int) -> int | None:
    """Returns the place after the parentheses that follow, and after what is said of their enforcement."""
    opened = _solid(tokens, at, "(")
    if opened is None:
        return None
    depth = 0
    for place in range(opened, len(tokens)):
        depth += (tokens[place] == "(") - (tokens[place] == ")")
        if depth == 0:
            rest = "".join(tokens[place + 1 : place + 16])
            more = re.match(r"\s*/\*!\d*\s*(?:NOT\s+)?ENFORCED\s*\*/|\s*(?:NOT\s+)?ENFORCED\b", rest, re.I)
            skipped = len(_TOKEN.findall(more[0])) if more else 0
            return place + 1 + skipped
    return None


def _trim(kept: list[str]) -> None:
    while kept and kept[-1].isspace():
        kept.pop()


def _drop_constraint(kept: list[str]) -> None:
    """Removes the name of a condition that is a part of its own, with the comma before it."""
    _trim(kept)
    place = len(kept)
    if place and kept[-1].startswith("`"):
        name = place - 1
        before = name - 1
        while before >= 0 and kept[before].isspace():
            before -= 1
        if before >= 0 and kept[before].upper() == "CONSTRAINT":
            del kept[before:]
            _trim(kept)
    if kept and kept[-1] == ",":
        kept.pop()
