"""Every experiment keeps the contract of experiments."""

from __future__ import annotations

import pytest
from assay.design.study.experiments import EXPERIMENTS
from assay.testing.contracts import ExperimentContract


@pytest.mark.parametrize("name", EXPERIMENTS)
class TestExperiments(ExperimentContract):
    pass
