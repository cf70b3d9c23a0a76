"""Tables of marked parts in files beside the document: what moves, what stays, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.document import overstated
from assay.experiments.document.folding import TableFiles, split_option
from assay.experiments.document.marks import pieces_of
from assay.reporting.report import load_words

TABLE = """**Hypotheses and their verdicts**

| Hypothesis | Verdict | In words |
| :-- | :-- | :-- |
| tps[a=2] ~ tps[a=1] | ? undecided | 1.007 times, 6 blocks. |
| tps[a=4] &gt; tps[a=1] | ✗ refuted | 0.9 times. |
| tps[a=8] &gt; tps[a=1] | ✗ refuted | 0.8 times. |

A note.
"""
PICTURE = "![Both](page/both.svg)\n\n| a | tps |\n| :-- | --: |\n| 1 | 12 |\n"


def folded(path: Path, *sections: tuple[str, str]) -> TableFiles:
    """Writes a page of sections, each the name of a file and the body of a part, and folds them."""
    parts = "".join(
        f"## Section {name}\n\n<!-- assay: table io tps tables={name} -->\n{body}<!-- /assay -->\n\n"
        for name, body in sections
    )
    path.write_text(f"# Ours\n\n{parts}Two threads serve as well as one.\n", encoding="utf-8")
    files = TableFiles(path, load_words("zh" if ".zh" in path.name else "en"))
    page = []
    for piece in pieces_of(path):
        if piece.mark is None:
            files.read(piece)
            page.append("".join(piece.lines))
        else:
            mark, name = split_option(piece.mark)
            page.append("".join(piece.filled(files.fold(mark, name, "".join(piece.lines[1:-1]))).lines))
    path.write_text("".join(page), encoding="utf-8")
    for file, text in files.texts.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return files


@pytest.mark.parametrize(
    ("name", "file", "line"),
    [
        ("page.md", "claims.md", "(page/claims.md): 3 rows, 1 ? undecided, 2 ✗ refuted\n"),
        ("page.zh-CN.md", "claims.zh-CN.md", "(page/claims.zh-CN.md)：3 行，? undecided 1，✗ refuted 2\n"),
    ],
)
def test_a_page_keeps_a_line_that_counts_and_the_file_has_every_row(
    tmp_path: Path, name: str, file: str, line: str
) -> None:
    folded(tmp_path / name, ("claims", TABLE))
    page = (tmp_path / name).read_text("utf-8")
    assert "- [Hypotheses and their verdicts]" + line in page
    assert "\n|" not in page
    text = (tmp_path / "page" / file).read_text("utf-8")
    assert text.startswith("# Section claims\n")
    assert f"[Ours](../{name})" in text
    assert TABLE in text


def test_a_picture_stays_and_a_table_without_a_title_has_the_sections(tmp_path: Path) -> None:
    folded(tmp_path / "page.md", ("both", PICTURE))
    page = (tmp_path / "page.md").read_text("utf-8")
    assert "![Both](page/both.svg)\n\n- [Section both](page/both.md): 1 row\n" in page
    text = (tmp_path / "page/both.md").read_text("utf-8")
    assert "| 1 | 12 |" in text
    assert "![" not in text


def test_a_part_without_a_table_stays_as_it_is(tmp_path: Path) -> None:
    files = folded(tmp_path / "page.md", ("doubts", "Nothing was found.\n"))
    assert not files.texts
    assert "Nothing was found." in (tmp_path / "page.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["../up", "a/b", "a.md", "", "Ä", "-x"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"page\\.md:5: tables={name} cannot name a file"):
        folded(tmp_path / "page.md", (name, TABLE))
    assert not (tmp_path / "page").exists()


def test_parts_of_a_section_share_a_file_and_sections_do_not(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    both = f"{TABLE}<!-- /assay -->\n\n<!-- assay: table io iops tables=x -->\n{PICTURE}"
    text = next(iter(folded(path, ("x", both)).texts.values()))
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## io · tps", "## io · iops"]
    again = f"{TABLE}<!-- /assay -->\n\n## Other\n\n<!-- assay: table io iops tables=x -->\n{PICTURE}"
    with pytest.raises(InputError, match="tables=x is the file of another section, 'Section x'"):
        folded(path, ("x", again))


def test_sentences_are_held_against_tables_that_lie_in_files(tmp_path: Path) -> None:
    folded(tmp_path / "page.md", ("claims", TABLE))
    (one,) = overstated(tmp_path / "page.md")
    assert one.sentence == "Two threads serve as well as one."
