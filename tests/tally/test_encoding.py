"""Merged histograms as text: every bin has what a single recorder of the same values would have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.base.tally import Histogram, decode, encode, merge_texts
from assay.testing import histogram
from examples import given, st
from hdrh.histogram import HdrHistogram

_WRITTEN = Path(__file__).parents[2] / "crates/tally/tests/snapshots/recorded__histograms.snap"
TEXTS = [json.loads(line)["text"] for line in _WRITTEN.read_text().splitlines() if line.startswith("{")]


def _bins(found: Histogram) -> tuple[list[int], list[int]]:
    return found.index.tolist(), found.counts.tolist()


@pytest.mark.parametrize("text", TEXTS, ids=[str(number) for number in range(len(TEXTS))])
def test_what_the_engine_wrote_is_written_again(text: str) -> None:
    again = encode(decode(text))
    assert _bins(decode(again)) == _bins(decode(text))
    reference, written = HdrHistogram.decode(text), HdrHistogram.decode(again)
    assert written.get_total_count() == reference.get_total_count()
    assert written.get_value_at_percentile(99) == reference.get_value_at_percentile(99)


@given(st.lists(st.lists(st.integers(1, 3_500_000_000_000), max_size=40), min_size=1, max_size=8))
def test_a_merge_is_what_one_recorder_would_have(parts: list[list[int]]) -> None:
    merged = decode(merge_texts([histogram(part) for part in parts]))
    assert _bins(merged) == _bins(decode(histogram(value for part in parts for value in part)))


def test_one_alone_is_left_as_it_is() -> None:
    assert merge_texts([TEXTS[0]]) == TEXTS[0]
    with pytest.raises(ValueError, match="no histogram"):
        merge_texts([])
