"""Knows a text with a statement in each line and no delimiters, as lists of queries for benchmarks are: read
by the rules of the client, all of it would be one statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_QUOTED = re.compile(r"(/\*(?!M?!).*?\*/)|'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`[^`]*`")
"""A comment within a line, or what stands in quotes."""
_COMMENT = re.compile(r"\s*(?:(?:--|#).*|/\*(?!M?!)(?:(?!\*/).)*\*/\s*)")
_INNER = re.compile(r"\([^()]*\)")
_DEEPEST = 100  # parentheses within each other; what has more is no line of a list
_NEEDS: Mapping[str, str] = {
    "SELECT": "",
    "WITH": r"\b(?:SELECT|INSERT|UPDATE|DELETE|REPLACE)\b",
    "INSERT": r"\b(?:VALUES?|SELECT|SET)\b",
    "REPLACE": r"\b(?:VALUES?|SELECT|SET)\b",
    "UPDATE": r"\bSET\b",
    "DELETE": r"\bFROM\b",
    **dict.fromkeys(("CALL", "USE", "SET", "BEGIN", "START", "COMMIT", "ROLLBACK"), ""),
}
"""First words of statements, and what a whole one has besides."""
_GOES_ON = re.compile(
    r"(?:[,=+/<>-]|\b(?:UNION|ALL|DISTINCT|EXCEPT|INTERSECT|AS|AND|OR|ON|FROM|WHERE|BY|SELECT))$", re.I
)


def has_statement_lines(lines: Iterable[str]) -> bool:
    """Returns whether each line is a statement, and one before the last has no delimiter: else the client's
    rules hold. Empty lines and comments are none.
    """
    said = [line.rstrip() for line in lines if says_something(line)]
    return not all(line.endswith(";") for line in said[:-1]) and all(map(_is_statement, said))


def says_something(line: str) -> bool:
    """Returns whether a line is more than a comment."""
    return bool(line.strip()) and _COMMENT.fullmatch(line) is None


def _is_statement(line: str) -> bool:
    """Returns whether a line is a statement of its own, which may have a delimiter at its end."""
    plain = _QUOTED.sub(lambda found: " " if found[1] else "0", line).strip().removesuffix(";")
    for _ in range(_DEEPEST):
        plain, found = _INNER.subn(" 0 ", plain)
        if not found:
            break
    plain = plain.strip()
    word = re.match(r"[A-Za-z]+", plain)
    needed = _NEEDS.get(word[0].upper()) if word else None
    return (
        needed is not None
        and not set(plain) & set("();'\"`")
        and re.search(needed, plain, re.I) is not None
        and _GOES_ON.search(plain) is None
    )
