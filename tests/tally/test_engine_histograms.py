"""Histograms as the engine writes them: figures read here equal those that it reported beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from assay.base.tally import decode, decode_many, merge
from each import each
from hdrh.histogram import HdrHistogram

_WRITTEN = Path(__file__).parents[2] / "crates/tally/tests/snapshots/recorded__histograms.snap"
"""Kept by `crates/tally/tests/recorded.rs`: histograms of random times."""


def _lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _WRITTEN.read_text().splitlines() if line.startswith("{")]


LINES = _lines()


def test_there_are_histograms_of_every_size() -> None:
    counts = sorted(line["count"] for line in LINES)
    assert counts[0] == 0
    assert counts[-1] > 3_000
    assert len(counts) == 60


def test_figures_are_those_that_the_engine_told() -> None:
    each(LINES, _has_the_figures, lambda line: line["count"])


def _has_the_figures(line: dict[str, Any]) -> None:
    found = decode(line["text"])
    assert found.total == line["count"]
    if not found.total:
        return
    shares = [float(share) for share in line["percentiles"]]
    assert found.percentiles(shares).tolist() == list(line["percentiles"].values())
    assert (found.min, found.max) == (line["min"], line["max"])
    assert found.mean == pytest.approx(line["mean"], rel=1e-12)


def test_the_reference_reads_the_same_counts() -> None:
    each(LINES, _is_read_alike, lambda line: line["count"])


def _is_read_alike(line: dict[str, Any]) -> None:
    reference, found = HdrHistogram.decode(line["text"]), decode(line["text"])
    assert reference.get_total_count() == found.total
    expected = [
        (item.value_iterated_to, item.count_at_value_iterated_to)
        for item in reference.get_recorded_iterator()
    ]
    highest = found.layout.highest(found.index).tolist()
    assert [(reference.get_highest_equivalent_value(value), count) for value, count in expected] == list(
        zip(highest, found.counts.tolist(), strict=True)
    )


def test_all_at_once_and_merged_have_all_counts() -> None:
    found = decode_many([line["text"] for line in LINES])
    assert merge(found).total == sum(line["count"] for line in LINES)
