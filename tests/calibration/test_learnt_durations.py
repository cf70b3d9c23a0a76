"""What steps took on this machine, for forecasts."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.measurement.calibration import Durations, StepTook, keep_durations, kept_durations


def load(rows: int, seconds: float, what: str = "tpcc") -> StepTook:
    return StepTook(kind="loading", what=what, size=rows, seconds=seconds)


@pytest.mark.parametrize(
    ("size", "seconds"),
    [
        (1000, 10.0),
        (4000, 40.0),  # more in proportion
        (500, 5.0),
        (20, 4.0),  # not less than the shortest
        (1, None),  # what takes its time whatever the size tells nothing of far smaller or larger ones
        (3_000_000, None),
        (100_000, 900.0),  # by the nearest
    ],
)
def test_a_step_is_expected_by_the_nearest_of_its_like(size: int, seconds: float | None) -> None:
    known = Durations((load(100, 4.0), load(1000, 10.0), load(200_000, 1800.0), load(1000, 1.0, "ycsb")))
    assert known.expected_s("loading", "tpcc", size) == seconds
    assert known.expected_s("loading", "tatp", size) is None
    assert known.expected_s("around", "tpcc", size) is None


def test_the_newest_of_a_size_counts_and_a_damaged_file_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    assert kept_durations() == Durations()
    keep_durations([load(1000, 10.0)])
    keep_durations([load(1000, 12.0)])
    assert kept_durations().expected_s("loading", "tpcc", 1000) == 12.0
    (tmp_path / "home/durations.json").write_bytes(b"[1, 2")
    assert kept_durations() == Durations()
    keep_durations([load(1000, 9.0)])
    assert kept_durations().expected_s("loading", "tpcc", 1000) == 9.0
