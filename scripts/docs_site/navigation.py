"""The order of the site's pages: groups of the settings file, with titles and with the pages below a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.docs_site.layout import CHINESE, ROOT, Layout, title

Entry = dict[str, Any]
"""What the generator takes: a title, and a page or a list of entries."""


def group_pages(groups: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[Path]]]:
    """Yields each group with its English pages in order; a pattern stands for pages not named else."""
    named = {ROOT / page for group in groups for page in group["pages"] if "*" not in page}
    for group in groups:
        pages: list[Path] = []
        for pattern in group["pages"]:
            found = [ROOT / pattern]
            if "*" in pattern:
                found = [page for page in sorted(ROOT.glob(pattern)) if page not in named]
                named.update(found)
            pages += [page for page in found if not page.name.endswith(CHINESE)]
        yield group, pages


def _in_language(page: Path, language: str) -> Path:
    return page.with_suffix(CHINESE) if language == "zh" else page


def navigation(layout: Layout, groups: list[dict[str, Any]], language: str) -> list[Entry]:
    """Returns the groups with their pages in a language.

    A page with a folder of its name is a section with the pages in that folder.
    """
    made: list[Entry] = []
    for group, pages in group_pages(groups):
        entries: list[Entry] = []
        for english in pages:
            page = _in_language(english, language)
            if not page.is_file():
                continue
            below = [
                {title(one): str(layout.place(one))}
                for one in (
                    _in_language(one, language) for one in sorted(english.with_suffix("").glob("*.md"))
                )
                if one.is_file() and not (one.name.endswith(CHINESE) and language == "en")
            ]
            entry = str(layout.place(page))
            entries.append({title(page): [entry, *below] if below else entry})
        if entries:
            made.append({group[language]: entries})
    return made
