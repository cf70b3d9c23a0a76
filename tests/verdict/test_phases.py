"""Claims that set one phase of a window against another: paired by block, within one treatment."""

from __future__ import annotations

from pathlib import Path

from assay.design.study import parse_study
from assay.results.stats.region import Gate
from assay.results.verdict.claims import judge_hypotheses
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment
from spoken import english

STUDY = """
[study]
name = "s"
[workload]
use = "fileio"
file_test_mode = "rndrw"
[volume]
file_system = "btrfs"
fail_device = 2
[load]
threads = [4]
measure = "60s"
[[factor]]
name = "volume.raid"
levels = ["raid10", "raid5"]
[[hypothesis]]
claim = "degraded_per_s[raid=raid5]/healthy_per_s[raid=raid5] < 0.8"
[[hypothesis]]
claim = "degraded_per_s[raid=raid10] ~ healthy_per_s[raid=raid10]"
margin = 0.1
[[hypothesis]]
claim = "degraded_per_s[raid=raid10] < healthy_per_s[raid=raid10]"
[[hypothesis]]
claim = "rebuilt_per_s[raid=raid5] ~ healthy_per_s[raid=raid5]"
"""
HEALTHY = {block: 1000.0 + 150 * block for block in range(1, 7)}


def share(part: float) -> dict[int, float]:
    """A share of the healthy throughput of each block, give or take half a per cent."""
    return {block: value * part * (1 + 0.005 * (-1) ** block) for block, value in HEALTHY.items()}


def test_each_block_is_held_against_itself() -> None:
    study = parse_study(STUDY, Path("/nowhere/s.toml"))
    treatments = [Treatment(f"raid={raid}", {"volume.raid": raid}) for raid in ("raid10", "raid5")]
    values = {
        ("healthy_per_s", "raid=raid10", 4.0): HEALTHY,
        ("degraded_per_s", "raid=raid10", 4.0): share(1.0),
        ("healthy_per_s", "raid=raid5", 4.0): HEALTHY,
        ("degraded_per_s", "raid=raid5", 4.0): share(0.57),
    }
    seen = Observations(values, dict.fromkeys(("healthy_per_s", "degraded_per_s"), "/s"))
    slower, same, not_slower, absent = judge_hypotheses(study, seen, treatments, (4.0,), Gate.of(0.95))
    # Between blocks the throughput differs by half; within each it falls by the same share.
    assert slower.outcome == "supported"
    (part,) = slower.parts
    assert part.figure is not None
    assert abs(part.figure.value - 0.57) < 0.005
    assert "degraded_per_s of raid=raid5 is 0.570 times healthy_per_s of raid=raid5" in english(
        part.explanation
    )
    assert same.outcome == "supported"
    assert not_slower.outcome == "refuted"
    assert absent.outcome == "undecided"
    assert "rebuilt_per_s or healthy_per_s of raid=raid5" in english(absent.explanation)
