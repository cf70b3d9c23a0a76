"""Shows signs in ASCII, as lines, arrows and dots, where the locale or the encoding asks for that.

Under the locale C (or POSIX) signs are ASCII and letters stay: paths and titles can be copied. An encoding
that lacks a letter shows its code.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from unicodedata import category, east_asian_width, name, normalize

_ALIKE = {
    "…": "...",
    "→": "->",
    "←": "<-",
    "↑": "^",
    "↓": "v",
    "⇒": "=>",
    "≥": ">=",
    "≤": "<=",
    "≈": "~",
    "≠": "!=",
    "±": "+-",
    "×": "x",
    "÷": "/",
    "µ": "u",
    "μ": "u",
    "–": "-",
    "—": "-",
    "‑": "-",
    "−": "-",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "·": ".",
    "•": "*",
    "●": "*",
    "○": "o",
    "◆": "*",
    "■": "#",
    "✓": "+",
    "✗": "x",
    "∞": "inf",
    "√": "sqrt",
    "°": " deg",
    "½": "1/2",
    "§": "section ",
}
_RAISED = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True))
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_LETTERS_KEPT, _CODES = "assay-letters", "assay-codes"


def lookalike(sign: str) -> str | None:
    """Returns a sign in ASCII; None for a letter, and for the punctuation of wide scripts."""
    if sign in _RAISED:
        return f"^{_RAISED[sign]}"
    if sign in _ALIKE:
        return _ALIKE[sign]
    if "\u2500" <= sign <= "\u257f":
        return _line(name(sign))
    if "\u2580" <= sign <= "\u259f":
        return "#"
    if "\u2800" <= sign <= "\u28ff":  # spinners
        return "*"
    if category(sign)[0] not in "SPZN" or east_asian_width(sign) in "WF":
        return None
    return "".join(one for one in normalize("NFKD", sign) if one.isascii()) or (
        " " if sign.isspace() else "?"
    )


def _line(said: str) -> str:
    """Returns the ASCII of a sign of a frame, from its name in Unicode."""
    across = any(word in said for word in ("HORIZONTAL", "LEFT", "RIGHT"))
    along = any(word in said for word in ("VERTICAL", "UP", "DOWN"))
    return "+" if across and along else "-" if across else "|"


def asks_for_ascii(environment: Mapping[str, str], began_with: Mapping[str, str] | None = None) -> bool:
    """Returns whether the locale is set to C or POSIX. No locale at all is that of most containers, whose
    terminals show UTF-8.

    Python itself sets LC_CTYPE where the locale is C (PEP 538): `began_with` is the environment before.
    """
    if "PYTHONIOENCODING" in environment:
        return False
    first = _first_environment() if began_with is None else began_with
    kind = environment.get("LC_CTYPE", "")
    if kind in _COERCED and "LC_CTYPE" not in first:
        kind = ""
    chosen = environment.get("LC_ALL") or kind or environment.get("LANG") or ""
    return chosen in ("C", "POSIX")


def _first_environment() -> dict[str, str]:
    try:
        entries = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(os.fsdecode(entry).partition("=")[::2] for entry in entries if b"=" in entry)


def stream_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns what `reconfigure` of a text stream gets, so that it takes any text."""
    codecs.register_error(_LETTERS_KEPT, _handler(lambda sign: sign.encode("utf-8", "backslashreplace")))
    codecs.register_error(_CODES, _handler(lambda sign: sign.encode("ascii", "backslashreplace")))
    if asks_for_ascii(environment):
        return {"encoding": "ascii", "errors": _LETTERS_KEPT}
    return {"errors": _CODES}


def _handler(letter: Callable[[str], bytes]) -> Callable[[UnicodeError], tuple[bytes, int]]:
    def shown(error: UnicodeError) -> tuple[bytes, int]:
        assert isinstance(error, UnicodeEncodeError)
        signs = error.object[error.start : error.end]
        words = (letter(sign) if (alike := lookalike(sign)) is None else alike.encode() for sign in signs)
        return re.sub(rb"(?<=[\d-])\^", b"", b"".join(words)), error.end  # 10 to the -12 is 10^-12

    return shown
