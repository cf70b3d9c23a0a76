"""Where a server has processors of its own, their use is a measure: that of the machine would hide that they
are used up.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from assay.design.folder import read_manifest
from assay.results.store.measures import rung_measures
from assay.results.store.rung import Rung, read_rung
from assay.results.store.series import Series
from recorded_results import unpack


@pytest.fixture
def rung(tmp_path: Path) -> Rung:
    run = next(unpack("open", tmp_path).finished_runs())
    (entry,) = read_manifest(run).rungs
    return read_rung(run, 1, entry)


def cores(rung: Rung, shares: dict[str, float]) -> Series:
    """Readings of each second in the window: a processor's counter grows by its share of the time."""
    window = rung.window_ns()
    assert window is not None
    wall_ns = np.arange(window[0], window[1], 10**9, dtype=np.int64)
    passed_us = (wall_ns - wall_ns[0]) / 1e3
    values = np.array([7e9 + share * passed_us for share in shares.values()]).T
    return Series("cores", [f"{name}_us_total" for name in shares], wall_ns, values)


@pytest.mark.parametrize(
    ("cpus", "percent"), [("0", 95.0), ("1", 20.0), ("0-1", 57.5), ("0,2", None), (None, None)]
)
def test_it_is_the_share_of_the_processors_that_the_server_has(
    rung: Rung, cpus: str | None, percent: float | None
) -> None:
    used = {"0.busy": 0.9, "0.steal": 0.05, "1.busy": 0.2, "1.steal": 0.0}
    samples = {"cores": cores(rung, used)}
    found = [one for one in rung_measures(rung, samples, cpus) if one.name == "server_cpus_busy_pct"]
    assert [round(one.value, 6) for one in found] == ([] if percent is None else [percent])
