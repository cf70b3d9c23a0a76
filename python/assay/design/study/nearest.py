"""Finds the known word that an unknown one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Returns the closest known word, or None when nothing is close. Case, dashes and underscores do not
    count.
    """
    plain = {_plain(name): name for name in known}
    close = get_close_matches(_plain(word), plain, n=1, cutoff=0.6)
    return plain[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns `; did you mean "x"?`, the list of known words when nothing is close and it is short, or an
    empty text.
    """
    names = list(known)
    if close := nearest(word, names):
        return f'; did you mean "{close}"?'
    if not names:
        return ""
    return f"; known: {', '.join(names[:20])}{' …' if len(names) > 20 else ''}"


def _plain(word: str) -> str:
    return word.lower().replace("-", "_")
