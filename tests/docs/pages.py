"""The pages of the project as tests see them: their links, their code blocks, their tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Command:
    """One command line of a shell block; `words` without comments and prompts."""

    page: Path
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page.name}: {' '.join(self.words)}"


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def links(page: Path) -> Iterator[str]:
    """Targets of the links of a page, code left out."""
    yield from _LINK.findall(re.sub(r"`[^`\n]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8"))))


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them: lower case, blanks to dashes, other signs left out."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(text)}


def blocks(page: Path, language: str) -> Iterator[str]:
    """The code blocks in one language."""
    for found, text in _FENCE.findall(page.read_text(encoding="utf-8")):
        if found == language:
            yield text


def commands(page: Path) -> Iterator[Command]:
    """The command lines of the `sh` blocks."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            words = re.sub(r"(^|\s)#.*$", "", line).split()
            if words:
                yield Command(page, tuple(words))


def section(page: Path, heading: str) -> str:
    """The text under a heading of the second level, up to the next one."""
    _, found, rest = page.read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    assert found, f"{name_of(page)} has no section {heading!r}"
    return rest.partition("\n## ")[0]


def rows(text: str) -> dict[str, list[str]]:
    """Rows of tables whose first cell is code: what it names -> the other cells; the first one counts."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `"):
            for name in re.findall(r"`([^`]+)`", cells[0]):
                found.setdefault(name, cells[1:])
    return found
