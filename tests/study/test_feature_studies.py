"""The studies in studies/features/: well formed, sourced, named apart, and all in their index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.study import load_study

STUDIES = Path(__file__).parents[2] / "studies"
FEATURES = sorted((STUDIES / "features").glob("*.toml"))


@pytest.mark.parametrize("path", FEATURES, ids=lambda path: path.stem)
def test_they_are_whole(path: Path) -> None:
    study = load_study(path)
    assert study.name in (path.stem, f"{path.stem}-short")
    assert set(study.title) == {"en", "zh"}
    assert study.hypotheses
    assert all(hypothesis.source for hypothesis in study.hypotheses)
    assert study.design.blocks >= 6
    assert not re.search(r"(?<![\w.])/(?:home|work|root|tmp)/", path.read_text(encoding="utf-8"))


def test_no_two_studies_share_a_results_folder() -> None:
    names = [load_study(path).name for path in STUDIES.rglob("*.toml")]
    assert sorted(names) == sorted(set(names))


def test_the_index_names_every_one_and_no_other() -> None:
    index = (STUDIES / "features" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(([\w-]+\.toml)\)", index)) == {path.name for path in FEATURES}
