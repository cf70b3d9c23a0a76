"""Which pages the site has in a language, and where each file of the repository stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "studies")
"""Where pages lie, beside those of the root."""
LANGUAGES = ("en", "zh")
CHINESE = ".zh-CN.md"
CODE = {
    ".fio": "ini",
    ".lua": "lua",
    ".py": "python",
    ".rs": "rust",
    ".service": "ini",
    ".sh": "sh",
    ".toml": "toml",
    ".yaml": "yaml",
}
"""Files that have a page of their own when a page links them, and the language of their code."""

_FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"`[^`\n]*`|(!?\[[^\]]*\])\(([^)\s]+)\)")
_TITLE = re.compile(r"^# (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Link:
    """A relative link of a page: its place in the text, the file that it names, the heading there."""

    start: int
    end: int
    file: Path
    anchor: str


def language_of(page: Path) -> str:
    """Returns the language that the name of a page says."""
    return "zh" if page.name.endswith(CHINESE) else "en"


def links(page: Path, text: str) -> Iterator[Link]:
    """Yields the links of a page to files of the repository, code left out."""
    hidden = _FENCE.sub(lambda fence: " " * len(fence[0]), text)
    for found in _LINK.finditer(hidden):
        target = found[2]
        if target is None or re.match(r"[a-z]+:|#", target):
            continue
        path, _, anchor = target.partition("#")
        yield Link(found.start(2), found.end(2), (page.parent / path).resolve(), anchor)


def title(page: Path) -> str:
    """Returns the first heading of a page."""
    found = _TITLE.search(page.read_text(encoding="utf-8"))
    if not found:
        raise SystemExit(f"{page.relative_to(ROOT)} has no heading")
    return found[1].replace("`", "")


class Layout:
    """The pages and files of the site in both languages."""

    @cached_property
    def pages(self) -> list[Path]:
        """The Markdown pages of the repository."""
        inside = [page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md")]
        return sorted([*ROOT.glob("*.md"), *inside])

    @cached_property
    def linked(self) -> list[Path]:
        """The other files that pages link: code, pictures, data."""
        found = {
            link.file
            for page in self.pages
            for link in links(page, page.read_text(encoding="utf-8"))
            if link.file.suffix != ".md" and link.file.is_file()
        }
        return sorted(found)

    def place(self, file: Path) -> PurePosixPath:
        """Returns where a file stands below the root of its language's site; pages and code as Markdown."""
        parts = list(file.relative_to(ROOT).parts)
        if len(parts) == 1 and file.suffix == ".md":
            parts = ["project", parts[0] if parts[0].startswith("README") else parts[0].lower()]
        if parts[0] == "docs":
            del parts[0]
        if file.suffix in CODE:
            parts[-1] += ".md"
        parts[-1] = parts[-1].replace(CHINESE, ".md")
        if parts[-1] == "README.md":  # the first `index.md` of a group is the page of the group itself
            parts[-1] = "index.md" if file.is_relative_to(ROOT / "docs") else "about.md"
        return PurePosixPath(*parts)

    def address(self, file: Path) -> PurePosixPath:
        """Returns where a file stands in the built site, below the root of both languages."""
        place = self.place(file)
        if place.suffix == ".md":
            place = place.with_suffix(".html")
        return "zh" / place if language_of(file) == "zh" else place
