"""Rewrites the Markdown of code hosts (CommonMark) to that of the site generator (Python-Markdown)."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

_PARSER = MarkdownIt("commonmark").enable("table")
_MARKER = re.compile(r"(?:[-*+]|\d+[.)]) *")
_CHINESE_BREAK = re.compile(
    r"^ *(`{3,}|~{3,}).*?^ *\1|(?<=[\u3001-\u3011\u4e00-\u9fff\uff00-\uffef])\n *(?=[\u4e00-\u9fff\uff08])",
    re.MULTILINE | re.DOTALL,
)
"""A block of code, or the end of a line between two Chinese characters, which a browser shows as a blank."""
_DEPTH = 4
"""Blanks that say what belongs to an item of a list; in CommonMark the width of its marker says so."""


def for_generator(text: str) -> str:
    """Returns a page with lists indented by four blanks, an empty line before each list and table, and no
    line that ends between two Chinese characters.
    """
    lines = text.split("\n")
    before: list[str] = [""] * len(lines)
    rest = list(lines)
    gaps: set[int] = set()
    for token in _PARSER.parse(text):
        if token.map is None:
            continue
        first, end = token.map
        if token.type == "table_open" or (token.type.endswith("_list_open") and token.level == 0):
            gaps.add(first)
        elif token.type == "list_item_open":
            marker = _MARKER.match(rest[first].lstrip())
            assert marker, rest[first]
            indent = len(rest[first]) - len(rest[first].lstrip())
            width = indent + len(marker[0])
            rest[first] = f"{marker[0].rstrip()} ".ljust(_DEPTH) + rest[first][width:]
            for line in range(first + 1, end):
                blank = len(rest[line]) - len(rest[line].lstrip())
                rest[line] = rest[line][min(width, blank) :]
                if rest[line]:
                    before[line] += " " * _DEPTH
    made: list[str] = []
    for number, text_line in enumerate(map(str.__add__, before, rest)):
        if number in gaps and made and made[-1].strip():
            made.append("")
        made.append(text_line)
    return _CHINESE_BREAK.sub(lambda found: found[0] if found[1] else "", "\n".join(made))
