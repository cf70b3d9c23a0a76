"""Writes the pages over results as files for a static web server: each page is requested as a browser would,
and its links become relative paths. Links to pages that this depth leaves out become plain text.
"""

from __future__ import annotations

import asyncio
import hashlib
import html
import os
import re
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import quote, unquote, urlsplit

from starlette.applications import Starlette

from assay.base.errors import ConflictError
from assay.base.inner_path import InnerPath
from assay.front.web.app import make_app
from assay.front.web.links import spelled
from assay.front.web.site import Site
from assay.reporting.report import LANGUAGES

Depth = Literal["answers", "numbers", "events"]
"""`answers`: the pages of results, gates, hosts, doubts and histories. `numbers`: also every number,
comparison, run and load point, and all forms. `events`: also the events of the engine, in pages of lines.
"""
DEPTHS: tuple[Depth, ...] = get_args(Depth)
LIST = ".assay-site"
"""Names the files of the last build, a line each."""

_LINK = re.compile(r'\b(href|src)="(/[^"]*)"')
_LINK_ELEMENT = re.compile(r'<link rel="alternate"[^>]*href="(/[^"]*)"[^>]*>')
_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')
_OF_A_SERVER = re.compile(r"<(form|p)\b[^>]*\bdata-server\b[^>]*>.*?</\1>", re.DOTALL)
_UNFIT = re.compile(r"[^A-Za-z0-9_.~=,+-]")
_FORMS = (".json", ".csv", ".md", ".svg", ".xml", ".txt", ".atom", ".css", ".js")
_EVENTS = re.compile(r"/run/[^/]+/\d+/events\b")
_NUMBERS = re.compile(r"/\w+/(?:r/[^/]+/(?:(?:n|run|charts|tables)/|innodb\b)|compare\b)")
_ANCHOR = re.compile(r'<a\b([^>]*?) href="(/[^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
_FILES = re.compile(r'<(p|span) class="files">(.*?)</\1>', re.DOTALL)
_LONGEST = 80
_INDEX = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Assay</title>
<meta http-equiv="refresh" content="0; url=en/index.html"></head>
<body><p><a href="en/index.html">English</a> <a href="zh/index.html" lang="zh-CN">中文</a></p></body></html>
"""


@dataclass(frozen=True)
class Built:
    """What was built: the first page, how many files there are, and the pages that say why they show
    nothing.
    """

    page: Path
    files: int
    failed: tuple[str, ...]


def build_site(
    root: Path,
    folder: Path,
    heard: Callable[[int], None] = lambda count: None,
    *,
    depth: Depth = "answers",
) -> Built:
    """Writes the pages about the results below `root` into `folder`, down to a depth, and removes files of an
    earlier build that this one does not have. `heard` is told the number of files so far.

    Raises ConflictError where the folder holds something else.
    """
    place = InnerPath(folder, folder)
    before = _listed(place)
    site = Site(root, is_static=True)
    site.catalogue.rows(wait_s=None)
    place.mkdir(parents=True, exist_ok=True)
    written, failed = asyncio.run(_crawl(make_app(site), place, heard, depth))
    for name in before - written:
        with suppress(OSError):
            (place / name).unlink()
    (place / LIST).write_whole("".join(f"{name}\n" for name in sorted(written)).encode())
    return Built(folder / "index.html", len(written), tuple(failed))


async def _crawl(
    app: Starlette, folder: InnerPath, heard: Callable[[int], None], depth: Depth
) -> tuple[set[str], list[str]]:
    """Writes all pages that can be reached; returns the names of files, and addresses that were refused."""
    ahead = deque(f"/{language}/" for language in LANGUAGES)
    known, kept, failed = set(ahead), dict[str, str](), list[str]()
    pages: list[str] = []
    written = set()
    while ahead:
        address = ahead.popleft()
        status, kind, body = await _get(app, address)
        if status != 200:
            failed.append(address)
        name = file_of(address)
        if kind == "text/html":
            text = _without(_OF_A_SERVER.sub("", body.decode()), depth)
            canonical = _CANONICAL.search(text)
            own = address if canonical is None else _address(canonical[1])[0]
            kept[address] = file_of(own)
            if own != address:
                if own not in known:
                    known.add(own)
                    ahead.append(own)
                continue
            for _, link in _LINK.findall(text):
                target = _address(link)[0]
                if target not in known:
                    known.add(target)
                    ahead.append(target)
            pages.append(name)
            _put(folder / f"{name}.part", text.encode())
        else:
            kept[address] = name
            _put(folder / name, body)
            written.add(name)
        heard(len(pages) + len(written))
    for name in pages:  # the file of every page is known only now
        part = folder / f"{name}.part"
        _put(folder / name, _relative(part.read_text(encoding="utf-8"), name, kept).encode())
        part.unlink()
        written.add(name)
    _put(folder / "index.html", _INDEX.encode())
    return written | {"index.html"}, failed


def is_wanted(address: str, depth: Depth) -> bool:
    """Returns whether a site of this depth has the page or file at an address."""
    path = urlsplit(address).path
    if depth == "events" or path.startswith("/assets/"):
        return True
    if depth == "numbers":
        return not _EVENTS.search(path)
    return not _NUMBERS.match(path) and not path.endswith(_FORMS)


def _without(text: str, depth: Depth) -> str:
    """Returns a page without links to what the site does not have: their words stay, but for lists of other
    forms of a page, which say nothing else.
    """

    def is_left(anchor: re.Match[str]) -> bool:
        return is_wanted(_address(anchor[2])[0], depth)

    def plain(anchor: re.Match[str]) -> str:
        return anchor[0] if is_left(anchor) else f"<a{anchor[1]}{anchor[3]}>{anchor[4]}</a>"

    def listed(files: re.Match[str]) -> str:
        kept = _ANCHOR.sub(lambda anchor: anchor[0] if is_left(anchor) else "", files[0])
        return kept if _ANCHOR.search(kept) else ""

    return _LINK_ELEMENT.sub(
        lambda link: link[0] if is_wanted(_address(link[1])[0], depth) else "",
        _ANCHOR.sub(plain, _FILES.sub(listed, text)),
    )


def file_of(address: str) -> str:
    """Returns the file of an address: parts that no file system or server would take get a hash."""
    parts = urlsplit(address)
    names = [_name(unquote(one)) for one in parts.path.strip("/").split("/")]
    if parts.path.endswith("/"):
        names.append("index")
    stem, form = names[-1], ".html"
    for one in _FORMS:
        if stem.endswith(one):
            stem, form = stem.removesuffix(one), one
    if parts.query:
        stem += f"-{hashlib.sha256(parts.query.encode()).hexdigest()[:8]}"
    return "/".join([*names[:-1], stem + form])


def _name(part: str) -> str:
    fit = _UNFIT.sub("-", part)
    if fit == part and len(part) <= _LONGEST and part not in (".", ".."):
        return part
    form = next((one for one in _FORMS if fit.endswith(one)), "")
    digest = hashlib.sha256(part.removesuffix(form).encode()).hexdigest()[:8]
    return f"{fit.removesuffix(form)[:_LONGEST]}-{digest}{form}"


def _relative(text: str, name: str, kept: dict[str, str]) -> str:
    """Returns a page with paths in place of addresses."""
    here = Path(name).parent

    def path(found: re.Match[str]) -> str:
        address, place = _address(found[2])
        target = quote(os.path.relpath(kept.get(address, file_of(address)), here))
        return f'{found[1]}="{html.escape(target + place)}"'

    return _LINK.sub(path, text)


def _address(link: str) -> tuple[str, str]:
    """Returns the address of a link in one spelling, and its place on the page with the mark before it."""
    address, mark, place = html.unescape(link).partition("#")
    path, question, query = address.partition("?")
    return f"{spelled(unquote(path))}{question}{query}", mark + place


async def _get(app: Starlette, address: str) -> tuple[int, str, bytes]:
    """Asks the application for an address; returns status, media type and content."""
    parts = urlsplit(address)
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": unquote(parts.path), "raw_path": parts.path.encode(), "query_string": parts.query.encode(),
        "root_path": "", "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 0),
        "server": ("localhost", 80),
    }  # fmt: skip
    status, kind, body = 0, "", bytearray()

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        nonlocal status, kind
        if message["type"] == "http.response.start":
            status = int(str(message["status"]))
            headers = dict(message["headers"])  # type: ignore[call-overload]
            kind = headers.get(b"content-type", b"").decode().partition(";")[0]
        else:
            body.extend(message.get("body", b""))  # type: ignore[arg-type]

    await app(scope, receive, send)  # type: ignore[arg-type]
    return status, kind, bytes(body)


def _listed(folder: InnerPath) -> set[str]:
    """Returns the files of an earlier build. Raises ConflictError where there are files of somebody else."""
    listed = folder / LIST
    if listed.is_file():
        names = listed.read_text(errors="replace").splitlines()
        return {name for name in names if ".." not in name.split("/") and not name.startswith("/")}
    if folder.path.exists() and (not folder.path.is_dir() or any(folder.iterdir())):
        raise ConflictError(
            f"{folder}: contains files that no earlier `assay site build` wrote", hint="give an empty folder"
        )
    return set()


def _put(path: InnerPath, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
