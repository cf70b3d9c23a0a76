"""Guides and the README stay short enough to be read: more belongs to the reference or its own page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import ROOT, name_of

MOST_WORDS = 1500
MOST_LINES = 150
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def words(text: str) -> float:
    """The words of a page with its code, without an appendix; two Chinese characters count as one word."""
    body = text.partition("\n## Appendix")[0]
    return len(_CHINESE.sub(" ", body).split()) + len(_CHINESE.findall(body)) / 2


@pytest.mark.parametrize("page", sorted((ROOT / "docs/guide").glob("*.md")), ids=name_of)
def test_a_guide_has_at_most_1500_words(page: Path) -> None:
    assert words(page.read_text(encoding="utf-8")) <= MOST_WORDS


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md", "docs/index.md", "docs/index.zh-CN.md"])
def test_a_front_page_has_at_most_150_lines(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_words_are_counted_without_the_appendix_and_in_both_languages() -> None:
    assert words("one two 缓冲池大小 three\n\n## Appendix: more\n\nfour five") == 3 + 5 / 2
