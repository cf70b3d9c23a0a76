"""The pages on adding something: their examples are code that is there, and built."""

from __future__ import annotations

import re
from pathlib import Path

from pages import ROOT, blocks


def test_the_example_of_a_workload_is_one() -> None:
    example, *_ = blocks(ROOT / "docs" / "adding" / "workload.md", "rust")
    source = ROOT / "crates" / "workload" / "src" / "sysbench" / "oltp_delete.rs"
    assert example == source.read_text(encoding="utf-8")


def test_the_example_of_a_field_is_one_and_what_is_made_of_it() -> None:
    page = ROOT / "docs" / "adding" / "event-field.md"
    (written,) = indented(page, "rust")
    assert any(written in source.read_text(encoding="utf-8") for source in (ROOT / "crates").rglob("*.rs"))
    (made,) = indented(page, "python")
    assert made in (ROOT / "python" / "assay" / "format" / "event.py").read_text(encoding="utf-8")


def indented(page: Path, language: str) -> list[str]:
    """Code blocks inside a list, without the list's own indentation."""
    found = re.findall(rf"^   ```{language}\n(.*?)^   ```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [re.sub("^   ", "", text, flags=re.MULTILINE) for text in found]
