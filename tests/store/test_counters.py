"""What counters moved by: a reset or a wrap within the window is never taken for work."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from assay.results.store.series import Series
from assay.system.host.machine import Machine
from assay.system.host.sampler.disks import DisksSource

NAN = float("nan")


def series(**columns: list[float]) -> Series:
    names = [name.replace("uptime", "Uptime") for name in columns]
    values = np.array(list(columns.values())).T
    return Series("status", names, np.arange(len(values)) * 1_000_000_000, values)


@pytest.mark.parametrize(
    ("readings", "grown"),
    [
        ([10, 20, 30], 20),
        ([10, 10, 10], 0),
        ([100, 3, 50], None),  # back, and not yet where it was
        ([100, 3, 150], None),  # back, and beyond where it was
        ([100, NAN, 3, 150], None),
        ([100, NAN, 150], 50),
    ],
)
def test_a_counter_that_went_back_is_not_known(readings: list[float], grown: float | None) -> None:
    found = series(work_total=readings, other_total=[float(at) for at in range(len(readings))])
    assert found.growth().get("work") == grown
    assert found.growth()["other"] == len(readings) - 1
    if grown is None:
        assert np.isnan(found.rates()[1][:, 0]).any()


def test_no_counter_of_a_server_that_started_again_is_known() -> None:
    """Also one that stands higher at each reading than at the one before."""
    found = series(work_total=[10.0, 20.0, 90.0, 95.0], uptime_total=[7.0, 8.0, 0.0, 1.0])
    assert found.growth() == {}
    assert np.isnan(found.rates()[1][:, 0]).tolist() == [True, False, True, False]


def disks(root: Path, *lines: str) -> list[dict[str, float]]:
    source, found = DisksSource(Machine(root), also=["vda"]), []
    (root / "proc").mkdir()
    for line in lines:
        (root / "proc/diskstats").write_text(f" 254 0 vda {line}\n")
        found.append(source.read())
    return found


LAST = 2**32 - 1


def test_times_of_a_disk_go_on_beyond_32_bits(tmp_path: Path) -> None:
    """All of them, on their own, and more than once."""
    found = disks(
        tmp_path,
        f"5 0 8 {LAST} 5 0 8 10 1 {LAST - 1} {LAST - 6}",
        f"6 0 16 4 6 0 16 {LAST} 0 {LAST} 3",
        f"7 0 24 {LAST} 7 0 24 0 2 0 {LAST}",
        "8 0 32 9 8 0 32 1 0 1 0",
    )
    names = ("read_time_us", "write_time_us", "busy_us", "queue_time_us")
    moved = {
        name: [
            (after[f"vda.{name}_total"] - before[f"vda.{name}_total"]) / 1000
            for before, after in pairwise(found)
        ]
        for name in names
    }
    assert moved == {
        "read_time_us": [5, LAST - 4, 10],
        "write_time_us": [LAST - 10, 1, 1],
        "busy_us": [1, 1, 1],
        "queue_time_us": [10, LAST - 3, 1],
    }
    assert [one["vda.in_flight"] for one in found] == [1, 0, 2, 0]


def test_a_disk_that_was_replaced_begins_anew(tmp_path: Path) -> None:
    before, after = disks(tmp_path, "500 0 8 900 5 0 8 10 1 900 900", "1 0 8 2 6 0 8 11 1 1 1")
    assert after["vda.busy_us_total"] - before["vda.busy_us_total"] < 0
