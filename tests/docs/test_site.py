"""The docs site: every page has its place and its line in the navigation, and every link leads somewhere.

Nothing is built here: what the generator gets is made and checked. `make docs` checks what it gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from pages import ROOT, anchors

from scripts.docs_site.__main__ import settings_of
from scripts.docs_site.built import complaints
from scripts.docs_site.dialect import for_generator
from scripts.docs_site.layout import CODE, LANGUAGES, Layout, language_of, links
from scripts.docs_site.staging import page_text, target

LAYOUT = Layout()


def _placed(entries: list[dict[str, Any]]) -> Iterator[str]:
    """The pages that a navigation names."""
    for entry in entries:
        for value in entry.values():
            yield from [value] if isinstance(value, str) else _names(value)


def _names(values: list[Any]) -> Iterator[str]:
    for value in values:
        yield from [value] if isinstance(value, str) else _placed([value])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_navigation_has_every_page_of_a_language_once(language: str) -> None:
    named = Counter(_placed(settings_of(LAYOUT, language)["project"]["nav"]))
    there = {str(LAYOUT.place(page)) for page in LAYOUT.pages if language_of(page) == language}
    assert set(named) == there
    assert max(named.values()) == 1


def test_no_two_files_have_one_address() -> None:
    shared = Counter(LAYOUT.address(file) for file in [*LAYOUT.pages, *LAYOUT.linked])
    assert max(shared.values()) == 1


def test_every_link_of_every_page_leads_to_a_file_and_a_heading_of_the_site() -> None:
    known = {*LAYOUT.pages, *LAYOUT.linked}
    headings = {page: anchors(page) for page in LAYOUT.pages}
    wrong = []
    for page in LAYOUT.pages:
        for link in links(page, page.read_text(encoding="utf-8")):
            if link.file not in known or (link.anchor and link.anchor not in headings.get(link.file, ())):
                wrong.append(f"{page.relative_to(ROOT)} links {link.file}#{link.anchor}")
    assert not wrong, "\n".join(wrong)


def test_links_lead_to_where_their_files_stand() -> None:
    """From any page to any other: what the rewritten link names is where the file is built."""
    for page in LAYOUT.pages[::20]:
        for link in links(page, page.read_text(encoding="utf-8")):
            path = target(LAYOUT, page, link).partition("#")[0]
            there = PurePosixPath(*_joined(LAYOUT.address(page).parent, path))
            if link.file.suffix == ".md" or link.file.suffix in CODE:
                there = there.with_suffix(".html")
            assert there == LAYOUT.address(link.file)


def _joined(folder: PurePosixPath, path: str) -> list[str]:
    parts = list(folder.parts)
    for part in PurePosixPath(path).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return parts


LIST = """\
Before:
- one
  more of it

  | a | b |
  |---|---|
  | 1 | 2 |
- two
  - inside
    ```sh
    assay demo
    ```
1. first

   ```toml
   [host]
     known = 1
   ```
10. tenth
    goes on
After.
"""
FOR_GENERATOR = """\
Before:

-   one
    more of it

    | a | b |
    |---|---|
    | 1 | 2 |
-   two
    -   inside
        ```sh
        assay demo
        ```

1.  first

    ```toml
    [host]
      known = 1
    ```
10. tenth
    goes on
After.
"""


def test_lists_are_indented_for_the_generator() -> None:
    assert for_generator(LIST) == FOR_GENERATOR.replace("After.", "    After.")
    assert for_generator(FOR_GENERATOR) == FOR_GENERATOR.replace("After.", "    After.")


def test_chinese_lines_are_joined_and_code_is_not() -> None:
    code = "```\n服务器\n变慢\n```\n"
    assert for_generator(f"服务器，\n变慢。\nsysbench\n也是。\n\n- 一项\n  接着\n\n{code}") == (
        f"服务器，变慢。\nsysbench\n也是。\n\n-   一项接着\n\n{code}"
    )


def test_a_page_loses_nothing_but_blanks() -> None:
    page = ROOT / "docs/guide/reading-a-report.md"
    made = page_text(LAYOUT, page)
    for line in page.read_text(encoding="utf-8").splitlines():
        if "](" not in line:
            assert " ".join(line.split()) in {" ".join(other.split()) for other in made.splitlines()}


def test_a_built_site_is_searched_for_broken_links_and_loads_from_a_network(tmp_path: Path) -> None:
    (tmp_path / "zh").mkdir()
    (tmp_path / "b.html").write_text('<h2 id="x">X</h2><a href="https://example.com">elsewhere</a>')
    (tmp_path / "zh/index.html").write_text('<a href="../b.html#x">B</a><a href=..>up</a><img src="p.svg">')
    (tmp_path / "index.html").write_text(
        '<script src="https://example.com/a.js"></script><link rel="canonical" href="https://example.com/">'
        '<a href="b.html#y">B</a><a href="zh">zh</a><a href="#top">top</a><a href="gone.html">gone</a>'
    )
    assert sorted(complaints(tmp_path)) == [
        "index.html links #top: no such anchor",
        "index.html links b.html#y: no such anchor",
        "index.html links gone.html: no such file",
        "index.html loads https://example.com/a.js",
        "zh/index.html links p.svg: no such file",
    ]
