"""The summary on a terminal."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Literal

import pytest
from assay.reporting.report import print_summary
from assay.reporting.report.material import Material
from assay.results.verdict import DoubtNote
from rich.console import Console


def printed(material: Material, width: int, language: str = "en") -> str:
    out = io.StringIO()
    print_summary(material.results, Console(file=out, width=width, no_color=True), language=language)
    return out.getvalue()


def test_verdicts_have_words_and_doubts_are_counted(material: Material) -> None:
    text = printed(material, 120)
    assert "✓ supported  tps[innodb_purge_threads=2] > tps[innodb_purge_threads=1]" in text
    assert "▲ better" in text
    assert "2 doubts (0 invalid, 1 warning)" in text
    (warning,) = [doubt.message for doubt in material.results.doubts if doubt.severity == "warning"]
    assert f"! warning: {warning}" in " ".join(text.split())


def test_doubts_of_a_kind_are_one_line(material: Material) -> None:
    def doubt(kind: str, message: str, severity: Literal["warning", "invalid"] = "warning") -> DoubtNote:
        return DoubtNote(kind, message, None, None, severity)

    late = [doubt("late-reading", f"answers were read {late} ms late") for late in (1, 2, 3)]
    twice = [doubt("gone", "no such file")] * 2
    doubts = (*late, *twice, doubt("broken", "the clock went back", "invalid"))
    out = io.StringIO()
    print_summary(replace(material.results, doubts=doubts), Console(file=out, width=120, no_color=True))
    assert [text for text in out.getvalue().splitlines() if "  ! " in text] == [
        "  ! invalid: the clock went back",
        "  ! warning: answers were read 1 ms late (and 2 more like it)",
        "  ! warning: no such file (×2)",
    ]


@pytest.mark.parametrize("width", [40, 80])
def test_narrow_terminals_lose_no_row(material: Material, width: int) -> None:
    assert printed(material, width).count("undecided") >= 1


def test_it_speaks_chinese(material: Material) -> None:
    assert "✓ 支持" in printed(material, 120, "zh")
