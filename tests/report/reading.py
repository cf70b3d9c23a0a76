"""Reads a report back: cells of its tables, its ids, everything that it links to or loads, and what stands
open.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

WORD = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")
"""A word; each Chinese character counts as one."""
VOID = {"meta", "br", "hr", "img", "link", "input", "wbr"}


def text_of(page: Path) -> str:
    """A page with plain spaces, which may be no-break ones between figures and their units."""
    return page.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")


class Page(HTMLParser):
    """Raises on tags that do not nest.

    `open_words` and `open_rows` leave out what closed `<details>` hide. `sections_closed` has what their
    summaries say beside the heading. `landmarks` are roles with names, `unreachable` what scrolls and cannot
    have the focus.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.tables: dict[str, list[list[str]]] = {}
        self.words = self.open_words = 0
        self.open_rows: list[list[str]] = []
        self.sections_closed: dict[str, str] = {}
        self.headings: dict[str, str] = {}
        self._landmarks: list[tuple[str, str]] = []
        self.unreachable: list[str] = []
        self._details: list[bool] = []
        self._fold = ""
        self._table = ""
        self._cell: list[str] | None = None
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = {key: value or "" for key, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
            if given["id"].startswith("table-"):
                self._table = given["id"].removeprefix("table-")
        role = {"nav": "navigation", "section": "region"}.get(tag, given.get("role", ""))
        if role in ("navigation", "region"):
            self._landmarks.append((role, given.get("aria-labelledby") or given.get("aria-label", "")))
        scrolls = tag == "pre" or {"scroll", "plot"} & {*given.get("class", "").split()}
        if scrolls and "tabindex" not in given:
            self.unreachable.append(f"{tag} {given}")
        if tag == "h2" and "id" in given:
            self.headings[given["id"]] = ""
        if tag == "details":
            self._details.append("open" in given)
        if tag == "h2" and "summary" in self.open:
            self._fold = given["id"]
            self.sections_closed[self._fold] = ""
        self.links += [given[key] for key in ("href", "src", "xlink:href", "data", "action") if key in given]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.tables.setdefault(self._table, []).append([])
            if self._stands_open():
                self.open_rows.append(self.tables[self._table][-1])
        if tag in ("td", "th"):
            self._cell = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag, tag
        if tag == "details":
            self._details.pop()
        if tag == "summary":
            self._fold = ""
        if tag in ("td", "th") and self._cell is not None:
            self.tables[self._table][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    @property
    def landmarks(self) -> list[tuple[str, str]]:
        """Roles with their names, as they are read out."""
        return [(role, self.headings.get(name, name)) for role, name in self._landmarks]

    def _stands_open(self) -> bool:
        """Returns False within a closed part; its summary is open."""
        inner = self._details[:-1] if "summary" in self.open else self._details
        return all(inner)

    def handle_data(self, data: str) -> None:
        if "body" in self.open:
            self.words += len(WORD.findall(data))
            self.open_words += len(WORD.findall(data)) if self._stands_open() else 0
        if self.open and self.open[-1] == "h2" and self.headings:
            self.headings[[*self.headings][-1]] += data
        if self._fold and self.open[-1] == "span":
            self.sections_closed[self._fold] += data
        if self._cell is not None:
            self._cell.append(data)
