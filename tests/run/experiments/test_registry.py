"""What studies may name is what there is to carry out."""

from __future__ import annotations

from assay.run import experiments
from assay.study.experiments import EXPERIMENTS


def test_every_experiment_of_the_study_file_can_be_carried_out() -> None:
    assert list(experiments.EXPERIMENTS) == list(EXPERIMENTS)
