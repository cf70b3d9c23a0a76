"""Finds the known word that an unknown one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

ELSEWHERE = {
    **dict.fromkeys(("defaults_file", "my_cnf", "cnf", "config_file", "config"), "options_file"),
    **dict.fromkeys(("clients", "connections", "concurrency", "users", "vusers"), "threads"),
    **dict.fromkeys(("duration", "time", "runtime", "run_time", "max_time"), "measure"),
    **dict.fromkeys(("warmup_time", "ramp_time", "rampup", "ramp_up"), "warmup"),
    **dict.fromkeys(("iterations", "repeats", "repetitions", "runs"), "blocks"),
}
"""Words of other tools for keys of a study, which are spelled nothing alike."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Returns the word that other tools' word stands for, or else the closest known one; None when nothing is
    close. Case, dashes and underscores do not count.
    """
    plain = {_plain(name): name for name in known}
    if (meant := ELSEWHERE.get(_plain(word))) in plain:
        return plain[meant]
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
