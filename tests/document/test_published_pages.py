"""The pages of published reports: what comes first, how much there is to read, and where the tables are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "published"
PAGES = sorted(FOLDER.glob("00*.md"))
REPORTS = [page for page in PAGES if re.fullmatch(r"\d{3}", page.name.partition(".")[0])]
FIRST = {
    "en": (r"# .*\?", r"\*\*Answer: .+", r"!\[.+\]\(.+\.svg\)", r"\*\*Why:\*\* .+", r"\*\*How sure:\*\* .+"),
    "zh": (r"# .*？", r"\*\*回答：.+", r"!\[.+\]\(.+\.zh\.svg\)", r"\*\*原因：\*\* .+", r"\*\*可信程度：.+"),
}
MOST = 10 * 1024


def language(page: Path) -> str:
    return "zh" if ".zh" in page.name else "en"


def visible(page: Path) -> str:
    """What a person reads of a page: no marks, no commands, no addresses."""
    text = re.sub(r"<!--.*?-->|^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\]\([^)]*\)", "]", text)


def test_every_report_has_a_page_in_both_languages() -> None:
    assert sorted(page.name[:3] for page in REPORTS) == [f"00{n}" for n in range(5) for _ in range(2)]


@pytest.mark.parametrize("page", REPORTS, ids=lambda page: page.name)
def test_a_page_begins_with_question_answer_picture_and_reason(page: Path) -> None:
    lines = iter(page.read_text("utf-8").splitlines()[:40])
    for pattern in FIRST[language(page)]:  # each after the one before
        assert any(re.match(pattern, line) for line in lines), f"the first 40 lines lack {pattern}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_at_most_ten_kilobytes_and_its_tables_are_files_that_it_links(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(visible(page).encode()) <= MOST
    assert not re.findall(r"^\|", text, re.MULTILINE), "a table stands in the page: give its part tables=NAME"
    stem, _, suffixes = page.name.partition(".")
    there = {one for one in (FOLDER / stem).glob("*.md") if one.name.partition(".")[2] == suffixes}
    linked = {FOLDER / one for one in re.findall(rf"\(({stem}/[^)]+\.md)\)", text)}
    named = set(re.findall(r"^<!-- assay: .* tables=(\S+) -->$", text, re.MULTILINE))
    assert there == linked == {FOLDER / stem / f"{name}.{suffixes}" for name in named}
    assert there
    for file in there:  # and from a table back to its page
        assert f"](../{page.name})" in file.read_text("utf-8")
        assert re.search(r"^\|", file.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", [one for one in PAGES if language(one) == "en"], ids=lambda page: page.name)
def test_both_languages_have_the_same_parts(page: Path) -> None:
    chinese = page.with_name(page.name.replace(".md", ".zh-CN.md"))
    parts = [re.findall(r"^<!-- assay: .*", one.read_text("utf-8"), re.MULTILINE) for one in (page, chinese)]
    assert parts[0] == parts[1]
