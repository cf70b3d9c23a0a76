"""The studies in studies/storage/: well formed, sourced, and all in their index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.design.plan import check_workload, make_plan
from assay.design.study import load_study
from assay.design.study.text.study_text import StudyText

STORAGE = Path(__file__).parents[2] / "studies/storage"
STUDIES = sorted(STORAGE.glob("*.toml"))


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_they_are_whole(path: Path) -> None:
    study = load_study(path)
    assert study.subject.kind == "storage"
    assert study.name == path.stem
    assert set(study.title) == {"en", "zh"}
    assert study.hypotheses
    assert all(hypothesis.source for hypothesis in study.hypotheses)
    assert study.design.blocks >= 6
    check_workload(make_plan(study, seed=1), [], StudyText(path))


def test_the_index_names_every_one_and_no_other() -> None:
    index = (STORAGE / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(([\w-]+\.toml)\)", index)) == {path.name for path in STUDIES}
