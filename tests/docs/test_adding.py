"""The pages on adding something: their examples are code that is there, and built."""

from __future__ import annotations

import re
from pathlib import Path

from pages import ROOT, blocks


def test_the_example_of_a_workload_is_one() -> None:
    example, *_ = blocks(ROOT / "docs" / "adding" / "workload.md", "rust")
    source = ROOT / "crates" / "workload" / "src" / "sysbench" / "oltp_delete.rs"
    assert example == source.read_text(encoding="utf-8")


def test_the_example_of_a_load_discipline_is_one() -> None:
    example, *_ = blocks(ROOT / "docs" / "adding" / "load-discipline.md", "rust")
    room = ROOT / "crates" / "engine" / "src" / "load" / "discipline"
    assert example == (room / "bursts.rs").read_text(encoding="utf-8")
    assert re.search(r"^    bursts::Bursts,$", (room / "mod.rs").read_text("utf-8"), re.MULTILINE)


def test_the_example_of_a_field_is_one_and_what_is_made_of_it() -> None:
    page = ROOT / "docs" / "adding" / "event-field.md"
    (written,) = indented(page, "rust")
    assert any(written in source.read_text(encoding="utf-8") for source in (ROOT / "crates").rglob("*.rs"))
    (made,) = indented(page, "python")
    assert made in (ROOT / "python" / "assay" / "format" / "event.py").read_text(encoding="utf-8")


def test_a_load_shape_is_two_files() -> None:
    """A load shape costs two files written by hand; the shape that the page shows stands for all."""
    page = (ROOT / "docs/adding/load-shape.md").read_text("utf-8")
    named = re.compile(r"\bWave(Arrivals)?\b|\"wave\"|amplitude")
    sources = [*(ROOT / "crates").glob("*/src/**/*.rs"), *(ROOT / "python").rglob("*.py")]
    written = {path for path in sources if named.search(path.read_text("utf-8"))}
    written -= {ROOT / "python/assay/format/job.py"}
    shapes = ROOT / "crates/pace/src/shape"
    # The sentence of a condition that it alone has; the example in a sentence about studies.
    messages = {ROOT / "crates/pace/src/error.rs", ROOT / "python/assay/study/checks.py"}
    assert written - messages == {shapes / "wave.rs", shapes / "mod.rs"}
    assert "`wave.rs`" in page


def indented(page: Path, language: str) -> list[str]:
    """Code blocks inside a list, without the list's own indentation."""
    found = re.findall(rf"^   ```{language}\n(.*?)^   ```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [re.sub("^   ", "", text, flags=re.MULTILINE) for text in found]
