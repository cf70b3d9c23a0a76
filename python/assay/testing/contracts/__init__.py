"""Contract tests: a class each of what every chart, knob, flavour, experiment, claim, sampler and backend
must satisfy.

A test derives a class and gives what is tested as pytest fixtures of the names in the class's docstring:

    class TestQueueChart(ChartContract):
        @pytest.fixture
        def draw(self):
            return queue.draw
"""

from assay.testing.contracts.chart import ChartContract
from assay.testing.contracts.claim import ClaimContract
from assay.testing.contracts.experiment import ExperimentContract
from assay.testing.contracts.flavour import FlavourContract
from assay.testing.contracts.fleet import BackendContract
from assay.testing.contracts.knob import KnobContract
from assay.testing.contracts.sampler import SamplerContract

__all__ = [
    "BackendContract",
    "ChartContract",
    "ClaimContract",
    "ExperimentContract",
    "FlavourContract",
    "KnobContract",
    "SamplerContract",
]
