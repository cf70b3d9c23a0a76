"""Escapes text of servers and studies for Markdown and CSV, so that it is neither markup nor a formula
there.
"""

from __future__ import annotations

import re

from assay.base.printable import visible

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKUP = re.compile(r"([\\`*|]|\](?=[(\[]))")  # of brackets only what would end a link's text
_MENTION = re.compile(r"(?<![\w])@(?=\w)|#(?=\d)|\bGH-(?=\d)")
"""What a forge makes a mention of: @team, #1, org/name#1, GH-1."""
_JOINER = "\u2060"  # takes no room, and keeps the two sides in one line
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute a cell


def in_markdown(text: str) -> str:
    """Returns one line of plain text, without HTML, links, emphasis or mentions of people and issues."""
    plain = visible(" ".join(text.splitlines()))
    plain = _MENTION.sub(lambda found: found[0] + _JOINER, plain)
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
