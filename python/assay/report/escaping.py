"""Escapes text of servers and studies for Markdown and CSV, so that it is neither markup nor a formula
there.
"""

from __future__ import annotations

import re

from assay.printable import visible

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKUP = re.compile(r"([\\`*|]|\](?=[(\[]))")  # of brackets only what would end a link's text
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute a cell


def in_markdown(text: str) -> str:
    """Returns one line of plain text, without HTML, links or emphasis."""
    plain = visible(" ".join(text.splitlines()))
    return _MARKUP.sub(r"\\\1", re.sub("[&<>]", lambda found: _ENTITIES[found[0]], plain))


def in_csv(value: object) -> object:
    """Returns numbers unchanged, and text that a spreadsheet would compute with an apostrophe before it."""
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
