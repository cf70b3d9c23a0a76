"""A percentile of too few operations has an estimate and no word, wherever one would be given."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.tally import fewest_operations
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import Results, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from spoken import english

CLAIMS = {
    "p50": "p50_ms[innodb_purge_threads=4] < 10 s",
    "p95": "p95_ms[innodb_purge_threads=4] < 10 s",
    "p99": "p99_ms[innodb_purge_threads=4] < 10 s",
    "p99_9": "p99_9_ms[innodb_purge_threads=4] < 10 s in every run",
    "last": "p99_ms[innodb_purge_threads=4] < 10 s in last 2s",
}
LOADS = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[8]")


def results_of(path: Path, per_s: float, claims: list[str]) -> Results:
    """Results of 20 s with so many transactions a second."""
    toml = LOADS + "".join(f'[[hypothesis]]\nclaim = "{claim}"\n' for claim in claims)
    truth = Truth(base_tps=per_s * 2 / 9, second_sd=0.0, block_sd=0.002, run_sd=0.001, samples=False)
    folder = make_results(path, study_toml=toml, loads=(8,), truth=truth)
    build_store(folder)
    with open_store(folder) as store:
        return judge(load_study(folder.study_file), store)


@pytest.mark.parametrize(
    ("measure", "needed"),
    [
        ("p50_ms", 20),
        ("p75_ms", 40),
        ("p90_ms", 100),
        ("new_order.p95_ms", 200),
        ("read_completion_p99_ms", 1_000),
        ("corrected_p99_9_ms", 10_000),
        ("max_ms", 0),
        ("mean_ms", 0),
        ("tps", 0),
    ],
)
def test_ten_must_lie_beyond_a_percentile(measure: str, needed: int) -> None:
    assert fewest_operations(measure) == needed


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("per_s", "judged"), [(3, {"p50"}), (30, {"p50", "p95"}), (80, {"p50", "p95", "p99"})]
)
def test_claims_about_percentiles_have_no_outcome_below_that(
    tmp_path: Path, per_s: float, judged: set[str]
) -> None:
    whole = [name for name in CLAIMS if name in ("p50", "p95", "p99", "p99_9")]
    found = results_of(tmp_path, per_s, [CLAIMS[name] for name in whole])
    outcomes = dict(zip(whole, found.hypotheses, strict=True))
    assert {name for name, one in outcomes.items() if one.outcome == "supported"} == judged
    for name in set(whole) - judged:
        assert outcomes[name].outcome == "undecided"
        assert "few-operations" in outcomes[name].doubts
        assert outcomes[name].more_blocks is None
    for one in found.comparisons:
        few = one.measure.removesuffix("_ms") not in {*judged, "tps"}
        assert (one.word == "estimate-only") == few
        assert ("few-operations" in one.doubts) == few
        assert (one.beyond_p is None) == few


def test_a_part_of_the_window_needs_as_many(tmp_path: Path) -> None:
    found = results_of(tmp_path, 80, [CLAIMS["p99"], CLAIMS["last"]])
    assert [one.outcome for one in found.hypotheses] == ["supported", "undecided"]
    assert "too few operations" in english(found.hypotheses[1].explanation)
