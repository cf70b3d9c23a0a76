"""Figures and their units on a page: they stay in one line, and what is to be copied stays as it is."""

from __future__ import annotations

import pytest
from assay.reporting.report.typesetting import typeset, unbroken
from assay.reporting.report.words import load_words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("95 % of 6 blocks", "95_% of 6_blocks"),
        ("12.3 ± 0.4 ms, ≥ 5 s", "12.3_±_0.4_ms, ≥_5_s"),
        ("17 [15, 18] ms", "17 [15,_18]_ms"),
        ("1.20 × 10⁻⁷ s", "1.20_×_10⁻⁷_s"),
        ("6 个区组，95 倍", "6_个区组，95_倍"),
        ("in 6 steps of 2 small rows", "in 6 steps of 2 small rows"),
        ("threads=8, 16 and 32", "threads=8, 16 and 32"),
    ],
)
def test_a_figure_stays_with_its_unit(text: str, said: str) -> None:
    assert unbroken(text).replace("\N{NO-BREAK SPACE}", "_") == said


@pytest.mark.parametrize("cut", [1, 3, 7, 1000])
def test_a_page_is_the_same_however_it_comes_in_parts(cut: int) -> None:
    page = (
        "<h1>6 个区组</h1><pre>8 s</pre><p>6 个区组 &amp; <code>5 ms</code> 7 ms</p>"
        '<svg width="5"><text>5 ms</text></svg><p>2 个区组</p>'
    )
    parts = [page[at : at + cut] for at in range(0, len(page), cut)]
    found = "".join(typeset(parts, load_words("zh"))).replace("\N{NO-BREAK SPACE}", "_")
    assert "<h1>6_个区组</h1><pre>8 s</pre><p>6_个<abbr title=" in found
    assert "<code>5 ms</code> 7_ms</p>" in found
    assert found.endswith('<svg width="5"><text>5 ms</text></svg><p>2_个区组</p>')
    assert found.count("<abbr") == 1
