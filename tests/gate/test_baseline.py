"""A baseline file: what it holds, where it counts, and what it refuses."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from assay.base.errors import ConflictError, GateUnjudged, InputError
from assay.design.study import parse_claim
from assay.experiments.gate import accept, save
from assay.experiments.gate.baseline.against import _outcome
from assay.experiments.gate.baseline.build_ratio import BuildRatioClaim, asked_of
from assay.experiments.gate.baseline.record import MOST_BYTES, Identity, read_baseline
from assay.results.stats import ConfidenceInterval
from assay.testing.results_folder import Truth
from two_builds import RATIO, STUDY, Judge, Make

ALONE = STUDY.partition("[[factor]]")[0] + '[server]\nuse = "path:/builds/new"\n\n[design]\nblocks = 6\n'


def alone(make: Make, tps: float = 900.0, **given: Any) -> Path:
    """Results of one build with this throughput."""
    truth = Truth(measure_s=4, warmup_s=1, samples=False, block_sd=0.005, base_tps=tps)
    return make(study=ALONE, treatments={"default": {}}, truth=truth, **given)


def test_a_build_is_judged_against_the_file(make: Make, judge: Judge, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    save(alone(make), file)
    claim = f"{RATIO} >= 0.97"
    same = judge(alone(make, seed=7), claim, baseline=file)
    assert (same.outcome, [one.load for one in same.checks]) == ("passed", [8.0, 64.0])
    slow = judge(alone(make, 810.0), claim, f"{RATIO} >= 0.8 at threads = 8", baseline=file)
    assert [one.outcome for one in slow.checks] == ["failed", "failed", "passed"]
    part = slow.checks[0].part
    assert part is not None
    assert part.figure is not None
    assert part.figure.value == pytest.approx(0.9, rel=0.02)
    assert "unpaired" in slow.checks[0].why
    assert slow.baseline == read_baseline(file).date


def test_of_two_builds_the_new_one_is_kept(make: Make, judge: Judge, slower: Path, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    made = save(slower, file)
    assert {one.configuration for one in made.series} == {"default"}
    assert {one.measure for one in made.series} >= {"tps", "p95_ms"}
    (tps,) = [math.exp(one.mean_log) for one in made.series if (one.load, one.measure) == (8, "tps")]
    other = save(alone(make, 810.0), tmp_path / "other.json")
    assert made.identity.study == other.identity.study  # the build is no part of it
    (alone_tps,) = [math.exp(one.mean_log) for one in other.series if (one.load, one.measure) == (8, "tps")]
    assert tps == pytest.approx(alone_tps, rel=0.1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("study", "f" * 64, "the study differs: ffffffffffff… in the baseline"),
        ("host", "2 x Other, 4 GiB", "the host differs: 2 x Other, 4 GiB in the baseline"),
        ("data", "oltp-8x250000", "the data differs: oltp-8x250000 in the baseline, oltp-4x250000 here"),
        ("data", None, "the data differs: unknown in the baseline, oltp-4x250000 here"),
        ("canary_us", 900.0, "the canary was sampled on one side alone"),
        ("assay", "0.0.1", "the version of assay differs: 0.0.1 in the baseline"),
        ("engine", "0.0.1", "the version of the engine differs"),
    ],
)
def test_where_a_field_differs_nothing_is_judged(
    make: Make, judge: Judge, tmp_path: Path, field: str, value: Any, said: str
) -> None:
    file = tmp_path / "baseline.json"
    save(alone(make), file)
    raw = json.loads(file.read_text(encoding="utf-8"))
    raw["identity"][field] = value
    file.write_text(json.dumps(raw), encoding="utf-8")
    found = judge(alone(make, seed=7), f"{RATIO} >= 0.5", f"{RATIO} >= 2", baseline=file)
    assert {one.outcome for one in found.checks} == {"unjudged"}
    assert said in found.checks[0].why


@pytest.mark.parametrize(("mine", "its", "agree"), [(100, 104, True), (100, 106, False), (100, 94, False)])
def test_the_canary_may_move_by_5_percent(mine: float, its: float, agree: bool) -> None:
    one = Identity(study="a", host="b", canary_us=mine, assay="1", engine="1")
    said = one.differing(msgspec.structs.replace(one, canary_us=its))
    assert (said is None) == agree
    assert agree or "the canary differs by" in str(said)


def test_a_file_is_moved_by_accepting_alone(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    save(alone(make), file)
    before = file.read_bytes()
    with pytest.raises(ConflictError, match="exists already"):
        save(alone(make, 810.0), file)
    with pytest.raises(InputError, match="--reason is empty"):
        accept(alone(make, 810.0), file, " ")
    assert file.read_bytes() == before
    accept(alone(make, 810.0), file, "a new allocator")
    assert [one.reason for one in read_baseline(file).accepted] == ["first baseline", "a new allocator"]
    assert len(file.read_bytes()) < MOST_BYTES


@pytest.mark.long
def test_another_study_is_no_successor(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    save(alone(make), file)
    truth = Truth(measure_s=4, warmup_s=1, samples=False)
    other = make(study=ALONE.replace("tables = 4", "tables = 8"), treatments={"default": {}}, truth=truth)
    with pytest.raises(ConflictError, match="another study than the baseline"):
        accept(other, file, "a new study")


def test_results_in_which_something_is_missing_are_refused(make: Make, tmp_path: Path) -> None:
    with pytest.raises(GateUnjudged, match="b03-01-default failed"):
        save(alone(make, fail=((3, "default"),), blocks=7), tmp_path / "baseline.json")
    with pytest.raises(GateUnjudged, match="has 3 complete blocks"):
        save(alone(make, blocks=3), tmp_path / "baseline.json")
    assert not list(tmp_path.iterdir())


def test_results_in_which_something_is_missing_are_not_judged(
    make: Make, judge: Judge, tmp_path: Path
) -> None:
    file = tmp_path / "baseline.json"
    save(alone(make), file)
    found = judge(alone(make, fail=((3, "default"),), blocks=7), f"{RATIO} >= 0.5", baseline=file)
    assert {one.outcome for one in found.checks} == {"unjudged"}
    assert "b03-01-default failed" in found.checks[0].why


def test_a_measure_that_the_file_lacks_is_not_judged(make: Make, judge: Judge, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    save(alone(make), file)
    claim = "p99_9_ms[build=new]/p99_9_ms[build=base] <= 2"
    (one, _) = judge(alone(make, seed=7), claim, baseline=file).checks
    assert (one.outcome, "The baseline has no p99_9_ms" in one.why) == ("unjudged", True)


@pytest.mark.parametrize(
    ("claim", "judged"),
    [
        ("tps[build=new]/tps[build=base] >= 0.97", True),
        ("tps[build=new]/tps[build=base] > 0.97 at threads >= 64", True),
        ("p95_ms[build=new, threads=8]/p95_ms[build=base, threads=8] <= 1.1", True),
        ("tps[build=base]/tps[build=new] <= 1.03", False),
        ("tps[build=new] >= tps[build=base]", False),
        ("tps[build=new]/tps[build=base] ~ 1", False),
        ("tps[build=new] > 100", False),
        ("tps[build=new]/tps[build=base] >= 0.97 at some threads > 1", False),
        ("tps[build=new]/tps[build=base] >= 0.97 and p95_ms[build=new] < 9", False),
        ("tps[build=new, a=1]/tps[build=base, a=2] >= 0.97", False),
    ],
)
def test_claims_that_a_file_can_answer(claim: str, judged: bool) -> None:
    asked = asked_of(parse_claim(claim), (8.0, 64.0))
    assert (asked is not None) == judged
    if asked is not None and "64" in claim:
        assert asked.loads == (64.0,)


@pytest.mark.parametrize(
    ("relation", "low", "high", "outcome"),
    [
        (">=", 0.98, 1.02, "passed"),
        (">=", 0.97, 1.02, "passed"),
        (">", 0.97, 1.02, "undecided"),
        (">=", 0.90, 0.96, "failed"),
        (">", 0.90, 0.97, "failed"),
        (">=", 0.90, 0.97, "undecided"),
        (">=", 0.90, 1.00, "undecided"),
        ("<=", 0.90, 0.96, "passed"),
        ("<=", 0.90, 0.97, "passed"),
        ("<", 0.90, 0.97, "undecided"),
        ("<=", 0.98, 1.02, "failed"),
        ("<", 0.97, 1.02, "failed"),
        (">=", None, None, "undecided"),
    ],
)
def test_the_whole_interval_decides(
    relation: Any, low: float | None, high: float | None, outcome: str
) -> None:
    asked = BuildRatioClaim("tps", relation, 0.97, {}, (8.0,))
    assert _outcome(ConfidenceInterval(0.97, low, high, 6), asked) == outcome


def test_results_of_two_builds_need_no_file(make: Make, judge: Judge, slower: Path, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    save(alone(make), file)
    with pytest.raises(InputError, match="has results of several builds"):
        judge(slower, f"{RATIO} >= 0.97", baseline=file)
