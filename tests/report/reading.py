"""Reads a report back: cells of its tables, its ids, everything that it links to or loads."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input", "wbr"}


class Page(HTMLParser):
    """Raises on tags that do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.tables: dict[str, list[list[str]]] = {}
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
        self.links += [given[key] for key in ("href", "src", "xlink:href", "data", "action") if key in given]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.tables.setdefault(self._table, []).append([])
        if tag in ("td", "th"):
            self._cell = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag, tag
        if tag in ("td", "th") and self._cell is not None:
            self.tables[self._table][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)
