"""The page: whole, alone, safe, in two languages."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from assay.reporting.report import write_report
from assay.reporting.report.sections import SECTIONS
from reading import Page, text_of
from synthetic import HOSTILE, make_material

pytestmark = pytest.mark.usefixtures("undrawn")

PAGES = ("report.html", "report.zh.html")


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_well_formed_and_loads_nothing(written: Path, name: str) -> None:
    text = text_of(written / name)
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert not {"script", "link", "img", "iframe", "object"} & page.tags
    assert not [link for link in page.links if re.match(r"(?i)\s*(https?:|//|javascript:|data:)", link)]
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    assert len(text.encode()) < 1_500_000


@pytest.mark.parametrize("name", PAGES)
def test_landmarks_have_names_of_their_own_and_what_scrolls_has_the_focus(written: Path, name: str) -> None:
    page = Page((written / name).read_text(encoding="utf-8"))
    assert len(page.landmarks) > 10
    assert len(page.landmarks) == len(set(page.landmarks))
    assert page.unreachable == []


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(written: Path, name: str) -> None:
    page = Page((written / name).read_text(encoding="utf-8"))
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert (written / unquote(link)).is_file(), link


def test_text_from_a_study_stays_text(written: Path) -> None:
    text = text_of(written / "report.html")
    assert HOSTILE not in text
    assert "&lt;script src=//evil.example/x.js&gt;" in text


@pytest.mark.parametrize(
    ("name", "title", "word"), [(PAGES[0], "Purge threads", "supported"), (PAGES[1], "Purge 线程", "支持")]
)
def test_the_page_speaks_its_language(written: Path, name: str, title: str, word: str) -> None:
    text = text_of(written / name)
    assert f"<h1>{title}</h1>" in text
    assert f"✓ {word}</span>" in text
    ids = Page(text).ids
    # The study requires no claim, and what an operation costs is equal.
    there = [name for name in SECTIONS if name not in ("gates", "why")]
    assert [i for i in ids if i in ("summary", *SECTIONS)] == ["summary", *there]


def test_the_study_can_be_run_again_from_the_page(written: Path) -> None:
    text = text_of(written / "report.html")
    assert "assay run study.toml" in text
    assert "ab" * 32 in text
    assert "table_size = 250_000" in text


def test_few_blocks_are_called_estimates(tmp_path: Path) -> None:
    few = make_material(tmp_path, blocks=1, treatments=1, loads=(8,), clean=True)
    page = write_report(few.study, few.results, few.store, tmp_path, languages=("en",))
    text = text_of(page)
    assert "With fewer than 6 blocks (1) the figures are estimates" in text
    assert "found no reason to doubt" in text
    assert "One block: an interval needs at least two." in text
    assert not (tmp_path / "charts" / "throughput.png").exists()


def test_that_there_is_no_hypothesis_is_said_once(tmp_path: Path) -> None:
    made = make_material(tmp_path, loads=(8,), blocks=1)
    none = replace(made.results, hypotheses=())
    page = write_report(made.study, none, made.store, tmp_path, languages=("en",))
    text = text_of(page)
    assert text.count("The study states no hypothesis") == 1


def test_a_doubt_says_what_to_do(written: Path) -> None:
    heading, *rows = Page((written / "report.html").read_text(encoding="utf-8")).tables["doubt-kinds"]
    at = heading.index("What to do")
    assert rows
    assert all(row[at] for row in rows)


def test_a_report_can_be_written_twice(written: Path, tmp_path: Path) -> None:
    one = make_material(tmp_path, treatments=2, loads=(8,), blocks=2)
    path = write_report(one.study, one.results, one.store, tmp_path)
    first = path.read_bytes()
    assert write_report(one.study, one.results, one.store, tmp_path).read_bytes() == first
