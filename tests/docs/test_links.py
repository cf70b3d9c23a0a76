"""Links between pages lead somewhere, and no page has paths or addresses of one machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from each import each
from pages import PAGES, ROOT, anchors, links, name_of

_KNOWN_EVERYWHERE = "usr|etc|proc|sys|var|run|opt|dev|data|base|my|path"
_OF_ONE_MACHINE = re.compile(rf"(?<![\w./:-])/(?!(?:{_KNOWN_EVERYWHERE})/)[a-z]\w*/[a-z]")
"""An absolute path outside the directories that every system has, or that stand for any."""


def test_links_resolve() -> None:
    def resolve(page: Path) -> None:
        for target in links(page):
            if target.startswith(("http://", "https://")):
                continue
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            assert there.exists(), target
            assert not anchor or anchor in anchors(there), f"{target}: no such heading"

    each(PAGES, resolve, name_of)


def test_pages_speak_of_no_particular_machine() -> None:
    def speaks_of_none(page: Path) -> None:
        assert not _OF_ONE_MACHINE.findall(page.read_text(encoding="utf-8"))

    each(PAGES, speaks_of_none, name_of)


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    ahead = [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in links(page):
            there = (page.parent / target.partition("#")[0]).resolve()
            if there.suffix == ".md" and there.is_file():
                ahead.append(there)
    lost = {name_of(page) for page in PAGES} - {name_of(page) for page in reached}
    assert not lost


@pytest.mark.parametrize(
    ("index", "kind"), [("docs/index.md", r"(?!.*\.zh-CN\.md).*"), ("docs/index.zh-CN.md", r".*\.zh-CN\.md")]
)
def test_the_list_of_all_pages_is_whole(index: str, kind: str) -> None:
    named = {
        name_of((ROOT / "docs" / one.partition("#")[0]).resolve())
        for one in links(ROOT / index)
        if "//" not in one
    }
    rooms = tuple(f"docs/{room}/" for room in ("guide", "method", "reference"))
    listed = [name for name in map(name_of, PAGES) if name.startswith(rooms) and name.count("/") == 2]
    assert not [name for name in listed if re.fullmatch(kind, name) and name not in named]
