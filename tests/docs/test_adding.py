"""The pages on adding something: their examples are code that is there, and built."""

from __future__ import annotations

from pages import ROOT, blocks


def test_the_example_of_a_workload_is_one() -> None:
    example, *_ = blocks(ROOT / "docs" / "adding" / "workload.md", "rust")
    source = ROOT / "crates" / "workload" / "src" / "sysbench" / "oltp_delete.rs"
    assert example == source.read_text(encoding="utf-8")
