r"""Makes text from outside safe to print: escapes control characters as `\x1b`, and cuts long text.

Text from a server, a file or another program may hold control characters that set a window's title, clear the
screen or forge lines.
"""

from __future__ import annotations

import re

MOST = 4096
"""Most characters that are shown of one text from outside."""

# C0 without tab and newline, DEL, C1, marks and overrides of the writing direction, other line separators,
# and lone surrogates: bytes of a file's name that are no UTF-8, which no stream or page can take.
_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_UNSAFE = re.compile(f"[{_CONTROL}]")
_UNSAFE_IN_A_LINE = re.compile(f"[{_CONTROL}\t\n]")


def visible(text: str) -> str:
    r"""Returns the text with control characters escaped as `\x1b`; tabs and newlines stay."""
    return _UNSAFE.sub(_code, text)


def line(text: object, most: int = MOST) -> str:
    r"""Returns text from outside as one printable line: newlines become `\x0a`, and at most `most` characters
    remain.
    """
    return _UNSAFE_IN_A_LINE.sub(_code, shortened(str(text), most))


def shortened(text: str, most: int = MOST) -> str:
    """Returns the text, with its middle left out where it is longer than `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} … ({len(text) - 2 * half:,} characters left out) … {text[-half:]}"


def escaped_in_json(text: str) -> str:
    r"""Returns JSON text with its control characters escaped as `\u001b`, which every JSON reader decodes."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _code(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
