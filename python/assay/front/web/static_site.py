"""Writes the pages over results as files for a static web server: each page is requested as a browser would,
and its links become relative paths.
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
from urllib.parse import quote, unquote, urlsplit

from starlette.applications import Starlette

from assay.base.errors import ConflictError
from assay.base.inner_path import InnerPath
from assay.front.web.app import make_app
from assay.front.web.assets import assets
from assay.front.web.links import spelled
from assay.front.web.site import Site
from assay.reporting.report import LANGUAGES

LIST = ".assay-site"
"""Names the files of the last build, a line each."""

_LINK = re.compile(r'\b(href|src)="(/[^"]*)"')
_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')
_OF_A_SERVER = re.compile(r"<(form|p)\b[^>]*\bdata-server\b[^>]*>.*?</\1>", re.DOTALL)
_UNFIT = re.compile(r"[^A-Za-z0-9_.~=,+-]")
_FORMS = (".json", ".csv", ".md", ".svg", ".xml", ".txt", ".atom", ".css", ".js")
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


def build_site(root: Path, folder: Path, heard: Callable[[int], None] = lambda count: None) -> Built:
    """Writes every page about the results below `root` into `folder`, and removes files of an earlier build
    that this one does not have. `heard` is told the number of files so far.

    Raises ConflictError where the folder holds something else.
    """
    place = InnerPath(folder, folder)
    before = _listed(place)
    site = Site(root, is_static=True)
    site.catalogue.rows(wait_s=None)
    place.mkdir(parents=True, exist_ok=True)
    written, failed = asyncio.run(_crawl(make_app(site), place, heard))
    for name in before - written:
        with suppress(OSError):
            (place / name).unlink()
    (place / LIST).write_whole("".join(f"{name}\n" for name in sorted(written)).encode())
    return Built(folder / "index.html", len(written), tuple(failed))


async def _crawl(
    app: Starlette, folder: InnerPath, heard: Callable[[int], None]
) -> tuple[set[str], list[str]]:
    """Writes all pages that can be reached; returns the names of files, and addresses that were refused."""
    ahead = deque(f"/{language}/" for language in LANGUAGES)
    ahead.extend(f"/assets/{name}" for name in assets())
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
            text = _OF_A_SERVER.sub("", body.decode())
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
