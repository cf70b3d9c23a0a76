"""Writes the pages of one language for the site generator, with links as they are in the site."""

from __future__ import annotations

import os
import shutil
from pathlib import Path, PurePosixPath

from scripts.docs_site.dialect import for_generator
from scripts.docs_site.layout import CODE, Layout, Link, language_of, links

ASSETS = ("site.css", "iframe-worker.js")
"""Files beside the settings that the site takes along."""


def target(layout: Layout, page: Path, link: Link) -> str:
    """Returns what a link of a page is in the site: to Markdown within a language, else to the built file."""
    anchor = f"#{link.anchor}" if link.anchor else ""
    to_page = link.file.suffix == ".md" or link.file.suffix in CODE
    if to_page and language_of(link.file) == language_of(page):
        here, there = layout.place(page), layout.place(link.file)
    else:
        here, there = layout.address(page), layout.address(link.file)
    return _relative(there, here.parent) + anchor


def page_text(layout: Layout, page: Path) -> str:
    """Returns a page as the generator shall read it."""
    text = page.read_text(encoding="utf-8")
    made, done = [], 0
    for link in links(page, text):
        if not link.file.exists():
            raise SystemExit(f"{page}: the link to {link.file} leads nowhere")
        made += [text[done : link.start], target(layout, page, link)]
        done = link.end
    return for_generator("".join([*made, text[done:]]))


def stage(layout: Layout, language: str, folder: Path, settings: Path) -> None:
    """Fills an empty folder with the pages of a language; the English one has the linked files, too."""
    for page in layout.pages:
        if language_of(page) == language:
            _write(folder / layout.place(page), page_text(layout, page))
    for asset in ASSETS:
        shutil.copy(settings / asset, folder / asset)
    if language != "en":
        return
    for file in layout.linked:
        code = CODE.get(file.suffix)
        there = folder / layout.place(file)
        if code:
            _write(there, f"# {file.name}\n\n~~~~{code}\n{file.read_text(encoding='utf-8').rstrip()}\n~~~~\n")
        else:
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, there)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _relative(there: PurePosixPath, folder: PurePosixPath) -> str:
    return PurePosixPath(os.path.relpath(there, folder)).as_posix()
