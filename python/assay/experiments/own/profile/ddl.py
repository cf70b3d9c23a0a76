"""Statements CREATE TABLE without what says more of the source than how its tables are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from assay.experiments.own.statements import Part

_TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | `(?:[^`]|``)*` | \w+ | \s+ | .""", re.S | re.X
)
_WITH_TEXT = ("COMMENT", "CONNECTION", "PASSWORD")
_WITH_PATH = ("DATA", "INDEX")


def plain_create(
    create: str, heeds: Callable[[Sequence[Part]], bool] = lambda condition: False
) -> tuple[str, int]:
    """Returns a statement CREATE TABLE without comments, connections, paths, the next AUTO_INCREMENT and
    CHECK conditions; and how many conditions were left out, which generated values do not know.

    A condition stays where `heeds` says that generated values heed it, or where it is of JSON alone: it says
    that a column is JSON.
    """
    tokens = _TOKEN.findall(create)
    kept: list[str] = []
    at, depth, checks = 0, 0, 0
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
        condition = "".join(tokens[at : end or at])
        if end is not None and "json_valid" not in condition.lower() and not heeds(_condition(condition)):
            checks += 1
            at = end
            _drop_constraint(kept)
            continue
        kept.append(token)
        at += 1
    return "".join(kept).strip(), checks


def _condition(check: str) -> list[Part]:
    """Returns what stands between the parentheses of `CHECK (…)`."""
    parts = [Part(_kind(token), token) for token in _TOKEN.findall(check) if not token.isspace()]
    closing = max((at for at, part in enumerate(parts) if part.is_symbol(")")), default=0)
    return parts[2:closing]


def _kind(token: str) -> str:
    if token[0] in "'\"":
        return "text"
    if token[0] == "`":
        return "name"
    return "number" if token[0].isdigit() else "word" if token[0].isalpha() or token[0] == "_" else "symbol"


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
