"""Little's law: what it accounts for, and what the ends of a window allow."""

from __future__ import annotations

import pytest
from assay.base.doubts.littles_law import edge_allowance, little_gap, littles_law


def test_gap_and_edges_by_hand() -> None:
    assert little_gap(8, 4000, 0.002) == 0
    assert little_gap(8, 3600, 0.002) == pytest.approx(0.1)
    assert edge_allowance(0.1, 10) == pytest.approx(0.01)
    with pytest.raises(ValueError, match="connections"):
        little_gap(0, 1, 1)


@pytest.mark.parametrize(
    ("per_second", "mean_ms", "think_ms", "is_broken"),
    [
        (800.0, 10.0, 0.0, False),
        (800.0, 6.0, 0.0, True),
        (79.0, 1.0, 100.0, False),  # 8 connections that think for 100 ms
        (40.0, 1.0, 100.0, True),
    ],
)
def test_littles_law_knows_pauses(
    per_second: float, mean_ms: float, think_ms: float, is_broken: bool
) -> None:
    law = littles_law(8, per_second, mean_ms / 1e3, think_s=think_ms / 1e3, longest_s=0.02, elapsed_s=30.0)
    assert law.is_broken is is_broken
