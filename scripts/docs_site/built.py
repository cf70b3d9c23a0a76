"""Checks a built site: every link and anchor leads somewhere, and nothing is asked of the network."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

_TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^>]*)>")
_ATTRIBUTE = re.compile(r"""\b(href|src|id|name)=(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_LOADS = {"script": "src", "img": "src", "iframe": "src", "link": "href"}
"""Elements that a browser loads by itself, and where they say from where."""
_NOT_LOADED = re.compile(r"rel=[\"']?(?:canonical|alternate|prev|next)\b")


def complaints(site: Path) -> Iterator[str]:
    """Yields a line for each link, anchor or load of the built site that is wrong."""

    @cache
    def anchors(file: Path) -> frozenset[str]:
        return frozenset(value for _, _, name, value in _attributes(file) if name in {"id", "name"})

    for page in sorted(site.rglob("*.html")):
        shown = page.relative_to(site)
        for tag, rest, name, value in _attributes(page):
            if name not in {"href", "src"} or value.startswith(("data:", "mailto:")):
                continue
            if re.match(r"(?:https?:)?//", value):
                if _LOADS.get(tag) == name and not _NOT_LOADED.search(rest):
                    yield f"{shown} loads {value}"
                continue
            path, _, anchor = value.partition("#")
            there = (page.parent / unquote(path.partition("?")[0])).resolve() if path else page
            if there.is_dir():
                there /= "index.html"
            if not there.is_file():
                yield f"{shown} links {value}: no such file"
            elif anchor and there.suffix == ".html" and unquote(anchor) not in anchors(there):
                yield f"{shown} links {value}: no such anchor"


def _attributes(page: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yields element, all its attributes, and the name and value of each that links or can be linked."""
    for tag, rest in _TAG.findall(page.read_text(encoding="utf-8")):
        for name, *values in _ATTRIBUTE.findall(rest):
            yield tag, rest, name, html.unescape("".join(values))
