"""Whether a licence lets Assay carry what is under it: SPDX expressions against a list.

Source: SPDX specification 2.3, annex D (licence expressions).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

PERMITTED = frozenset(
    {
        *("0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0"),
        *("CC0-1.0", "ISC", "MIT", "MIT-0", "PSF-2.0", "Python-2.0", "Unicode-3.0", "Unlicense", "Zlib"),
    }
)
"""Licences that ask for no more than that their text and the authors' names go along."""

_FREE_TEXT = (
    (r"\bMIT\b", "MIT"),
    (r"Apache( Software)? License(,? Version)? ?2|Apache Software License|Apache 2", "Apache-2.0"),
    (r"\bISC\b", "ISC"),
    (r"BSD.?3|3-Clause BSD|New BSD|BSD License", "BSD-3-Clause"),
    (r"Python Software Foundation", "PSF-2.0"),
)
"""Words of packages that name their licence in no expression, and what they mean."""


def is_permitted(expression: str) -> bool:
    """Whether the expression can be met by permitted licences alone. What is no expression cannot."""
    words = _words(expression)
    try:
        met = _any(words)
    except (IndexError, ValueError):
        return False
    return met and not words


def as_expression(text: str) -> str | None:
    """Returns the expression that free text such as a classifier means, or None."""
    if is_permitted(text):
        return text
    return next((name for words, name in _FREE_TEXT if re.search(words, text)), None)


def _words(expression: str) -> list[str]:
    return re.findall(r"[()]|[\w.+-]+", expression.replace("/", " OR "))


def _any(words: list[str]) -> bool:
    met = _all(words)
    for _ in _joined_by("OR", words):
        met = _all(words) or met
    return met


def _all(words: list[str]) -> bool:
    met = _one(words)
    for _ in _joined_by("AND", words):
        met = _one(words) and met
    return met


def _one(words: list[str]) -> bool:
    word = words.pop(0)
    if word == "(":
        met = _any(words)
        if words.pop(0) != ")":
            raise ValueError("no closing bracket")
        return met
    if words[:1] == ["WITH"]:
        word = f"{word} WITH {words[1]}"
        del words[:2]
    return word in PERMITTED


def _joined_by(word: str, words: list[str]) -> Iterator[None]:
    while words[:1] == [word]:
        del words[0]
        yield
