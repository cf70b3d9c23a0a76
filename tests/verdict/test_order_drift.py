"""Throughput that drifts over the runs of a block, or over the rungs of a run, raises a doubt."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.study import load_study
from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.words import load_words
from assay.results.store import build_store, open_store
from assay.results.verdict import DoubtNote, judge
from assay.testing.results_folder import STUDY_TOML, Truth, make_results


def drifts(
    path: Path, *, alternating: bool = True, effect: float = 1.3, toml: str = STUDY_TOML, **planted: float
) -> dict[str, DoubtNote]:
    truth = Truth(measure_s=12, warmup_s=1, samples=False, **planted)  # type: ignore[arg-type]
    folder = make_results(path, effect=effect, truth=truth, alternating=alternating, study_toml=toml)
    build_store(folder)
    found = judge(load_study(folder.study_file), open_store(folder)).doubts
    return {note.kind: note for note in found if note.kind.startswith("drift-in-")}


def test_levels_of_factors_and_rungs_are_no_drift(tmp_path: Path) -> None:
    assert drifts(tmp_path) == {}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("planted", "kind", "change"),
    [({"drift_in_block": 0.06}, "drift-in-block", -0.06), ({"drift_in_run": 0.03}, "drift-in-run", -0.06)],
    ids=["block", "run"],
)
def test_a_planted_drift_is_found(
    tmp_path: Path, planted: dict[str, float], kind: str, change: float
) -> None:
    found = drifts(tmp_path, **planted)
    assert found.keys() == {kind}
    assert found[kind].facts["change"] == pytest.approx(change, abs=0.015)
    assert (found[kind].severity, found[kind].run_id) == ("warning", None)
    assert explain_doubt(load_words("zh"), found[kind]) != found[kind].message


def test_a_drift_within_the_margin_is_none(tmp_path: Path) -> None:
    toml = STUDY_TOML + "\n[verdict]\nmargin = 0.1\n"
    assert drifts(tmp_path, toml=toml, drift_in_block=0.06, drift_in_run=0.03) == {}


def test_rungs_in_one_order_cannot_be_told_from_a_drift(tmp_path: Path) -> None:
    assert drifts(tmp_path, alternating=False, drift_in_run=0.03) == {}
