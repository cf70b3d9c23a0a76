"""What studies may name is what there is to carry out."""

from __future__ import annotations

from assay.design.study.experiments import EXPERIMENTS
from assay.measurement.run import experiments


def test_every_experiment_of_the_study_file_can_be_carried_out() -> None:
    assert list(experiments.EXPERIMENTS) == list(EXPERIMENTS)
